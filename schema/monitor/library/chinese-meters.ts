/** Meters by Acrel and Chint. */
import { at, type LibraryTemplate } from './library-template.ts'

const shared = {
  type: 'powerMeter',
  protocols: ['rtu'],
  serial: { baudRate: 9_600, parity: 'none', dataBits: 8, stopBits: 1 },
  byteOrder: 'ABCD',
  probe: { key: 'voltageL1', between: [80, 300] },
  sourced: true,
} as const

export const acrelAdw300: LibraryTemplate = {
  ...shared,
  key: 'acrel-adw300',
  name: ['Acrel ADW300 wireless meter', '安科瑞 ADW300 无线计量仪表', '安科瑞 ADW300 無線計量儀表'],
  vendor: 'Acrel',
  models: ['ADW300'],
  notes: [],
  source: {
    document: 'Acrel ADW300 user manual, Modbus register table',
    read: 'evcc-io/evcc templates/definition/meter/acrel-adw300.yaml (addresses and scales only)',
  },
  variables: [
    ...at('holding', 'uint16', { voltageL1: 20, voltageL2: 21, voltageL3: 22 }, { factor: 0.1 }),
    ...at('holding', 'uint16', { currentL1: 26, currentL2: 27, currentL3: 28 }, { factor: 0.01 }),
    ...at('holding', 'int32', { powerL1: 30, powerL2: 32, powerL3: 34, power: 36 }),
    ...at('holding', 'int32', { imported: 62, exported: 64 }, { factor: 0.01 }),
  ],
}

export const chintDtsu666: LibraryTemplate = {
  ...shared,
  key: 'chint-dtsu666',
  name: ['Chint DTSU666 three-phase meter', '正泰 DTSU666 三相电能表', '正泰 DTSU666 三相電表'],
  vendor: 'Chint',
  models: ['DTSU666'],
  notes: [
    [
      'Floats that still need a factor: 2305.0 means 230.5 V.',
      '浮点数仍需乘系数：2305.0 表示 230.5 V。',
      '浮點數仍需乘上係數：2305.0 表示 230.5 V。',
    ],
  ],
  source: {
    document: 'Chint DTSU666 user manual, communication address table',
    read: 'volkszaehler/mbmd meters/rs485/dtsu666.go (addresses and scales only)',
  },
  variables: [
    ...at('holding', 'float32', { voltageL1: 8198, voltageL2: 8200, voltageL3: 8202 }, { factor: 0.1 }),
    ...at('holding', 'float32', { currentL1: 8204, currentL2: 8206, currentL3: 8208 }, { factor: 0.001 }),
    ...at(
      'holding',
      'float32',
      { power: 8210, powerL1: 8212, powerL2: 8214, powerL3: 8216 },
      { factor: 0.1 },
    ),
    ...at(
      'holding',
      'float32',
      { reactivePower: 8218, reactivePowerL1: 8220, reactivePowerL2: 8222, reactivePowerL3: 8224 },
      { factor: 0.1 },
    ),
    ...at(
      'holding',
      'float32',
      { powerFactor: 8234, powerFactorL1: 8236, powerFactorL2: 8238, powerFactorL3: 8240 },
      { factor: 0.001 },
    ),
    ...at('holding', 'float32', { frequency: 8260 }, { factor: 0.01 }),
    ...at('holding', 'float32', {
      ...{ imported: 4126, importedL1: 4128, importedL2: 4130, importedL3: 4132 },
      ...{ exported: 4136, exportedL1: 4138, exportedL2: 4140, exportedL3: 4142 },
    }),
  ],
}
