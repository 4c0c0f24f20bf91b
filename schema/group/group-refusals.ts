/** Groups and n2n servers: 200–219. */
import { refusal } from '../kit/refusal.ts'

export const groupRefusals = {
  groupNameTaken: refusal(
    200,
    '分组名称 {name} 已存在',
    '群組名稱 {name} 已存在',
    'Group name {name} already exists',
  ),
  remoteAccountTaken: refusal(
    201,
    '远程账号 {name} 已存在',
    '遠端帳號 {name} 已存在',
    'Remote account {name} already exists',
  ),
  groupHasDevices: refusal(
    202,
    '该分组下有 {count} 台设备（含异常设备），不能删除',
    '該群組下有 {count} 台裝置（含異常裝置），不能刪除',
    'The group cannot be deleted: it has {count} devices, abnormal ones included',
  ),
  groupHasGroups: refusal(
    203,
    '该分组下有 {count} 个子分组，不能删除',
    '該群組下有 {count} 個子群組，不能刪除',
    'The group cannot be deleted: it has {count} groups below it',
  ),
  groupIsDefault: refusal(204, '默认分组不能删除', '預設群組不能刪除', 'The default group cannot be deleted'),
  groupTooDeep: refusal(205, '分组最多 {max} 级', '群組最多 {max} 級', 'Groups have at most {max} levels'),
  groupIntoItself: refusal(
    206,
    '不能移动到自身或其子分组下',
    '不能移動到自身或其子群組下',
    'A group cannot be moved into itself or below itself',
  ),
  groupCustomerStays: refusal(
    207,
    '分组不能移动到其他客户',
    '群組不能移動到其他客戶',
    'A group stays with its customer',
  ),
  groupLevelWrong: refusal(
    208,
    '级别与上级分组不符，应为 {level} 级',
    '級別與上級群組不符，應為 {level} 級',
    'Below this parent the level is {level}',
  ),
  groupInUse: refusal(
    209,
    '分组仍被其他设置引用，不能删除',
    '群組仍被其他設定引用，不能刪除',
    'The group is still named by other settings and cannot be deleted',
  ),
  n2nPortTaken: refusal(
    210,
    '端口 {port} 已被其他 n2n 服务器使用',
    '連接埠 {port} 已被其他 n2n 伺服器使用',
    'Port {port} is taken by another n2n server',
  ),
  n2nServerInUse: refusal(
    211,
    'n2n 服务器下有 {groups} 个分组、{devices} 台设备，不能删除',
    'n2n 伺服器下有 {groups} 個群組、{devices} 台裝置，不能刪除',
    'The n2n server cannot be deleted: groups {groups}, devices {devices}',
  ),
  n2nPortOther: refusal(
    212,
    '该服务器的端口是 {port}',
    '該伺服器的連接埠是 {port}',
    'The port of this server is {port}',
  ),
  remoteNeedsPassword: refusal(
    213,
    '请设置远程密码',
    '請設定遠端密碼',
    'The remote account needs a password',
  ),
  groupNoCustomer: refusal(214, '请选择客户', '請選擇客戶', 'Choose a customer'),
  defaultGroupStays: refusal(
    215,
    '默认分组不能移动',
    '預設群組不能移動',
    'The default group cannot be moved',
  ),
  remoteIpNotHost: refusal(
    216,
    '远程 IP 不是可用的主机地址',
    '遠端 IP 不是可用的主機位址',
    'The remote IP is not an address that a host can have',
  ),
  remoteAccountNone: refusal(
    217,
    '该分组没有远程账号',
    '該群組沒有遠端帳號',
    'The group has no remote account',
  ),
}
