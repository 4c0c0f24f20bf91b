/** Meters by Schneider Electric and Siemens. */
import { at, type LibraryTemplate } from './library-template.ts'

export const schneiderIem3000: LibraryTemplate = {
  key: 'schneider-iem3000',
  name: ['Schneider iEM3000 series energy meter', '施耐德 iEM3000 系列电能表', '施耐德 iEM3000 系列電表'],
  type: 'powerMeter',
  vendor: 'Schneider Electric',
  models: ['iEM3150', 'iEM3155', 'iEM3250', 'iEM3255', 'iEM3350', 'iEM3355'],
  protocols: ['rtu', 'tcp'],
  serial: { baudRate: 19_200, parity: 'even', dataBits: 8, stopBits: 1 },
  byteOrder: 'ABCD',
  probe: { key: 'voltageL1', between: [80, 300] },
  notes: [
    [
      'The manual counts registers from 1 (3028); the addresses here are as sent (3027).',
      '手册的寄存器从 1 开始编号（3028）；此处为实际发送的地址（3027）。',
      '手冊的暫存器從 1 開始編號（3028）；此處為實際傳送的位址（3027）。',
    ],
    ['A phase that is not wired has no value.', '未接线的相没有数值。', '未接線的相沒有數值。'],
  ],
  source: {
    document: 'Schneider Electric iEM3000 series user manual, Modbus register list',
    read: 'volkszaehler/mbmd meters/rs485/iem3000.go (addresses and scales only)',
  },
  sourced: true,
  variables: [
    ...at('holding', 'float32', { currentL1: 2999, currentL2: 3001, currentL3: 3003, current: 3009 }),
    ...at('holding', 'float32', { voltageL1: 3027, voltageL2: 3029, voltageL3: 3031, voltage: 3035 }),
    ...at(
      'holding',
      'float32',
      { powerL1: 3053, powerL2: 3055, powerL3: 3057, power: 3059, reactivePower: 3067, apparentPower: 3075 },
      { factor: 1_000 },
    ),
    ...at('holding', 'float32', { frequency: 3109 }),
    ...at(
      'holding',
      'int64',
      {
        ...{ imported: 3203, exported: 3207, reactiveImported: 3219, reactiveExported: 3223 },
        ...{ importedL1: 3517, importedL2: 3521, importedL3: 3525 },
      },
      { factor: 0.001 },
    ),
  ],
}

export const siemensPac2200: LibraryTemplate = {
  key: 'siemens-pac2200',
  name: ['Siemens PAC2200 power meter', '西门子 PAC2200 电能表', '西門子 PAC2200 電表'],
  type: 'powerMeter',
  vendor: 'Siemens',
  models: ['7KM PAC2200'],
  protocols: ['tcp'],
  byteOrder: 'ABCD',
  pauseMs: 50,
  probe: { key: 'voltageL1', between: [80, 300] },
  notes: [
    [
      'It drops requests that come in parallel: no other master may ask at the same time.',
      '并行到达的请求会被丢弃：不可有其他主站同时访问。',
      '並行到達的請求會被丟棄：不可有其他主站同時存取。',
    ],
  ],
  source: {
    document: 'Siemens 7KM PAC2200 equipment manual, measured variables',
    read: 'volkszaehler/mbmd meters/rs485/pac2200.go (addresses and scales only)',
  },
  sourced: true,
  variables: [
    ...at('input', 'float32', {
      ...{ voltageL1: 1, voltageL2: 3, voltageL3: 5, currentL1: 13, currentL2: 15, currentL3: 17 },
      ...{ powerL1: 25, powerL2: 27, powerL3: 29, powerFactorL1: 37, powerFactorL2: 39, powerFactorL3: 41 },
      ...{ apparentPower: 63, power: 65, reactivePower: 67, powerFactor: 69 },
    }),
    ...at('input', 'float64', { imported: 801, exported: 809 }, { factor: 0.001 }),
  ],
}
