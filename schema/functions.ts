/**
 * Every permission (function) id. [§6] gives 90, 53, 28, 21, 148 and 176; ours are the menu id of their page
 * times 100 plus a number, so that an id says where it belongs and never meets a menu id.
 */
export const functions = {
  remoteOperation: 90,
  deviceDetail: 53,
  profile: 28,
  editProfile: 21,
  changePassword: 148,
  bindEmail: 176,

  deviceList: 1400,
  deviceCreate: 1401,
  deviceEdit: 1402,
  deviceSecret: 1403,
  deviceExport: 1404,
  deviceReboot: 1405,
  deviceLogs: 1406,
  groupList: 1000,
  enrolmentKeys: 1001,
  packageList: 7600,
  packageUpload: 7601,
  packageDelete: 7602,
  upgradeList: 7700,
  upgradeCreate: 7701,
  upgradeControl: 7702,
  upgradeDelete: 7703,
  apiTokens: 2801,
  customerList: 8900,
  userList: 1300,
} as const
export type FunctionName = keyof typeof functions

/** [§2] Menu ids of the pages that exist. */
export const menus = {
  deviceList: 14,
  deviceDetail: 53,
  packages: 76,
  upgrades: 77,
} as const

const everyone: FunctionName[] = ['profile', 'editProfile', 'changePassword', 'bindEmail']
const reading: FunctionName[] = [
  'deviceList',
  'deviceDetail',
  'groupList',
  'packageList',
  'upgradeList',
  'deviceExport',
]
const operating: FunctionName[] = [
  'deviceReboot',
  'deviceEdit',
  'deviceLogs',
  'remoteOperation',
  'upgradeCreate',
  'upgradeControl',
  'apiTokens',
]
const administering: FunctionName[] = [
  'deviceCreate',
  'deviceSecret',
  'enrolmentKeys',
  'packageUpload',
  'packageDelete',
  'upgradeDelete',
  'customerList',
  'userList',
]
const ids = (...names: FunctionName[][]) => names.flat().map((name) => functions[name])
const pages = [menus.deviceList, menus.deviceDetail, menus.packages, menus.upgrades]

/** [§6] Template roles: seeded, locked, to be duplicated rather than edited. The super administrator holds every id. */
export const templateRoles = {
  viewer: { functions: ids(everyone, reading), menus: pages },
  operator: { functions: ids(everyone, reading, operating), menus: pages },
  customerAdmin: { functions: ids(everyone, reading, operating, administering), menus: pages },
  systemAdmin: { functions: ids(everyone, reading, operating, administering), menus: pages },
} as const satisfies Record<string, { functions: number[]; menus: number[] }>
export type TemplateRole = keyof typeof templateRoles

export const allFunctionIds: readonly number[] = Object.values(functions)
export const allMenuIds: readonly number[] = Object.values(menus)
