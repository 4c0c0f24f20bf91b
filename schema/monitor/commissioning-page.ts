/** Meeting new equipment: who is on the line, what its registers hold, and a template made of that. */
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
