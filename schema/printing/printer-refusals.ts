import { refusal } from '../kit/refusal.ts'

export const printerRefusals = {
  driverSignTaken: refusal(
    280,
    '驱动标识 {sign} 已存在',
    '驅動標識 {sign} 已存在',
    'The driver sign {sign} exists already',
  ),
  driverInUse: refusal(
    281,
    '有 {count} 台打印机正在使用该驱动',
    '有 {count} 台印表機正在使用該驅動',
    'The driver is used by {count} printers',
  ),
  printerPresent: refusal(
    282,
    '打印机仍连接在设备上，无法删除',
    '印表機仍連接在裝置上，無法刪除',
    'The printer is still attached to its device and cannot be deleted',
  ),
  terminalNameTaken: refusal(
    283,
    '该设备下已有名为 {name} 的终端',
    '該裝置下已有名為 {name} 的終端',
    'The device has a terminal named {name} already',
  ),
  slaveTaken: refusal(284, '该从站已添加为终端', '該從站已新增為終端', 'This slave is a terminal already'),
}
