/** [§2] The fast access wizard: from a project to the first value of a terminal, one step after the other. */
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'

export const fastAccessPermission = permission({
  id: 21300,
  name: 'fastAccess',
  role: 'operator',
  under: 'fast-access',
})

export const fastAccessScreen = screen({
  name: 'fast-access',
  path: '/cloudMonitor/deviceManagement/fastAccess',
  menuId: 213,
  role: 'operator',
  permission: fastAccessPermission,
  parent: 'monitorDevice',
  place: 10,
  area: 'monitor',
})
