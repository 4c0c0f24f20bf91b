/** [§2] Menu id 217 opens two pages: the variables with their values, and the configuration of what is collected. */

import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'

export const variableListPermission = permission({
  id: 21700,
  name: 'variableList',
  role: 'viewer',
  under: 'variable-list',
})
export const templateEditPermission = permission({
  id: 21701,
  name: 'templateEdit',
  role: 'operator',
  under: 'variable-list',
})

export const variableScreen = screen({
  name: 'variable-list',
  path: '/cloudMonitor/deviceManagement/variableList',
  lists: 'variable/getVariableValues',
  menuId: 217,
  role: 'viewer',
  permission: variableListPermission,
  parent: 'monitorDevice',
  place: 50,
  area: 'monitor',
})
