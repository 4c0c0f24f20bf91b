/** Inverters with registers of their makers. */
import { at, type LibraryTemplate } from './library-template.ts'

const none32 = { noValue: '7FFFFFFF' }
const noneU32 = { noValue: 'FFFFFFFF' }

export const huaweiSun2000: LibraryTemplate = {
  key: 'huawei-sun2000',
  name: [
    'Huawei SUN2000 inverter with power sensor',
    '华为 SUN2000 逆变器（含功率传感器）',
    '華為 SUN2000 逆變器（含功率感測器）',
  ],
  type: 'inverter',
  vendor: 'Huawei',
  models: ['SUN2000'],
  protocols: ['tcp', 'rtu'],
  byteOrder: 'ABCD',
  timeoutMs: 5_000,
  pauseMs: 50,
  connectDelayMs: 1_500,
  notes: [
    [
      'It answers only 1 to 2 s after connecting, and few masters at a time.',
      '连接后 1 至 2 秒才应答，且只允许少量主站同时访问。',
      '連線後 1 至 2 秒才回應，且只允許少數主站同時存取。',
    ],
  ],
  source: {
    document: 'Huawei solar inverter Modbus interface definitions',
    read: 'evcc-io/evcc huawei-sun2000-hybrid.yaml and huawei-sun2000-inverter.yaml (addresses and scales only)',
  },
  sourced: true,
  variables: [
    ...at('holding', 'int32', { acPower: 32080, gridPower: 37113 }, none32),
    ...at(
      'holding',
      'uint32',
      { yield: 32106, gridExported: 37119, gridImported: 37121 },
      { factor: 0.01, ...noneU32 },
    ),
    ...at(
      'holding',
      'int32',
      { gridVoltageL1: 37101, gridVoltageL2: 37103, gridVoltageL3: 37105 },
      { factor: 0.1, ...none32 },
    ),
    ...at(
      'holding',
      'int32',
      { gridCurrentL1: 37107, gridCurrentL2: 37109, gridCurrentL3: 37111 },
      { factor: 0.01, ...none32 },
    ),
  ],
}

export const sungrowInverter: LibraryTemplate = {
  key: 'sungrow-inverter',
  name: ['Sungrow string inverter', '阳光电源组串逆变器', '陽光電源組串逆變器'],
  type: 'inverter',
  vendor: 'Sungrow',
  models: ['SG'],
  protocols: ['tcp', 'rtu'],
  serial: { baudRate: 9_600, parity: 'none', dataBits: 8, stopBits: 1 },
  byteOrder: 'CDAB',
  notes: [
    [
      'The maker counts from 1; the addresses here are as sent. 32-bit values have the low word first.',
      '厂家从 1 开始编号；此处为实际发送的地址。32 位数值低字在前。',
      '廠家從 1 開始編號；此處為實際傳送的位址。32 位元數值低字組在前。',
    ],
  ],
  source: {
    document: 'Sungrow communication protocol of PV grid-connected string inverters',
    read: 'evcc-io/evcc templates/definition/meter/sungrow-inverter.yaml (addresses and scales only)',
  },
  sourced: true,
  variables: [
    ...at('input', 'uint32', { yield: 5003 }, { precision: 0 }),
    ...at('input', 'uint32', { acPower: 5030 }),
    ...at('input', 'int32', { meterPower: 5082 }),
    ...at('input', 'uint32', { gridImported: 5098 }, { factor: 0.1, precision: 1 }),
  ],
}
