import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'

export const groupListPermission = permission({
  id: 1000,
  name: 'groupList',
  role: 'viewer',
  under: 'group-list',
})
export const groupCreatePermission = permission({
  id: 1002,
  name: 'groupCreate',
  role: 'customerAdmin',
  under: 'group-list',
})
export const groupEditPermission = permission({
  id: 1003,
  name: 'groupEdit',
  role: 'customerAdmin',
  under: 'group-list',
})
export const groupDeletePermission = permission({
  id: 1004,
  name: 'groupDelete',
  role: 'customerAdmin',
  under: 'group-list',
})
export const groupMovePermission = permission({
  id: 1005,
  name: 'groupMove',
  role: 'customerAdmin',
  under: 'group-list',
})

export const groupScreen = screen({
  name: 'group-list',
  path: '/device/groupinglist',
  lists: 'device/queryGroupKeyword',
  menuId: 10,
  role: 'customerAdmin',
  permission: groupListPermission,
  parent: 'device',
  place: 20,
  area: 'management',
})
