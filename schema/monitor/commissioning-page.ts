/** Commissioning: finding slaves on the line, inspecting their registers, and creating a template from that. */
import { screen } from '../kit/screen.ts'
import { commissionPermission } from './commands/commissioning.ts'
import { monitorTerminalScreen } from './monitor-lists.ts'

export const commissioningScreen = screen({
  name: 'commissioning',
  path: '/cloudMonitor/deviceManagement/commissioning',
  permission: commissionPermission,
  under: monitorTerminalScreen,
  area: 'monitor',
})
