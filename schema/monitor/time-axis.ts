/** Events of one gateway and of the equipment behind it, on one time axis [decisions/124]. */

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
