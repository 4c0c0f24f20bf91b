/** What happened to one gateway and to what hangs below it, on one axis of time [decisions/124]. */

import { deviceDetailPermission } from '../device/device-pages.ts'
import { screen } from '../kit/screen.ts'
import { variableHistoryScreen } from './variable-history.ts'

export const timeAxisScreen = screen({
  name: 'time-axis',
  path: '/cloudMonitor/statisticalReports/timeAxis',
  under: variableHistoryScreen,
  place: 25,
  permission: deviceDetailPermission,
  area: 'monitor',
})
