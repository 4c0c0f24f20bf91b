import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'

export const userListPermission = permission({
  id: 1300,
  name: 'userList',
  role: 'customerAdmin',
  under: 'user-list',
})
export const userCreatePermission = permission({
  id: 1301,
  name: 'userCreate',
  role: 'customerAdmin',
  under: 'user-list',
})
export const userEditPermission = permission({
  id: 1302,
  name: 'userEdit',
  role: 'customerAdmin',
  under: 'user-list',
})
export const userDeletePermission = permission({
  id: 1303,
  name: 'userDelete',
  role: 'customerAdmin',
  under: 'user-list',
})

export const userScreen = screen({
  name: 'user-list',
  path: '/system/usercontrol',
  lists: 'user/getUserList',
  menuId: 13,
  role: 'customerAdmin',
  parent: 'system',
  place: 20,
  area: 'management',
})
