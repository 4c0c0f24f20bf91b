import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'

export const deviceListPermission = permission({
  id: 1400,
  name: 'deviceList',
  role: 'viewer',
  under: 'device-list',
})
export const deviceDetailPermission = permission({
  id: 53,
  name: 'deviceDetail',
  role: 'viewer',
  under: 'device-detail',
})
export const deviceCreatePermission = permission({
  id: 1401,
  name: 'deviceCreate',
  role: 'customerAdmin',
  under: 'device-list',
})
export const deviceEditPermission = permission({
  id: 1402,
  name: 'deviceEdit',
  role: 'operator',
  under: 'device-list',
})
export const deviceSecretPermission = permission({
  id: 1403,
  name: 'deviceSecret',
  role: 'customerAdmin',
  under: 'device-list',
})
export const deviceExportPermission = permission({
  id: 1404,
  name: 'deviceExport',
  role: 'viewer',
  under: 'device-list',
})

export const deviceListScreen = screen({
  name: 'device-list',
  path: '/device/devicelist',
  lists: 'device/getDeviceList',
  menuId: 14,
  role: 'viewer',
  parent: 'device',
  place: 10,
  area: 'management',
})

export const deviceDetailScreen = screen({
  name: 'device-detail',
  path: '/device/particulars/:id/:did',
  menuId: 53,
  role: 'viewer',
  permission: deviceDetailPermission,
  under: deviceListScreen,
  area: 'management',
})
