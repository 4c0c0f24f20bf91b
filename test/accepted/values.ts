/** Values that sampled bodies share: where the declaration of a field is not enough. */
import sharp from 'sharp'
import { configArchive } from '../config-archive.ts'

export const archive = () => configArchive({ 'etc/config/system': 'config system\n' })
export const picture = () =>
  sharp({ create: { width: 90, height: 30, channels: 3, background: '#369' } })
    .png()
    .toBuffer()
export const advertisement = {
  link: 'https://example.test/',
  fromTime: '08:00',
  toTime: '09:00',
  toDate: '2990-01-01',
}
export const rule = { kind: 'offline', threshold: 7, timeZone: 'UTC', severity: 'minor' }
export const shortMessage = { number: '+8613800138000', text: 'Sample' }
export const variable = {
  unit: 'V',
  registerType: 'input',
  address: 1,
  dataType: 'int16',
  byteOrder: 'ABCD',
  factor: 0.1,
}
export const slave = { slaveId: 9, slaveAddress: 'bus9' }
export const mapping = {
  rowsAt: undefined,
  terminalAt: '=Meter',
  timeAt: undefined,
  valuesAt: undefined,
  nameAt: undefined,
  valueAt: undefined,
  named: undefined,
}
export const north = {
  topic: undefined,
  template: undefined,
  secretAddress: undefined,
  values: true,
  alarms: true,
}
export const schedule = { at: '09:30', zone: 'UTC', recipients: ['x@example.test'] }

export const UCI_TEXT = "package network\n\nconfig interface 'wan'\n\toption proto 'dhcp'\n"
