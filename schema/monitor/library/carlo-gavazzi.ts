/** Carlo Gavazzi: integers with the low word first. */
import { at, type LibraryTemplate, type LocalText } from './library-template.ts'

const lowWordFirst: LocalText = [
  '32-bit values have the low word first.',
  '32 位数值低字在前。',
  '32 位元數值低字組在前。',
]
const shared = {
  type: 'powerMeter',
  vendor: 'Carlo Gavazzi',
  protocols: ['rtu'],
  serial: { baudRate: 9_600, parity: 'none', dataBits: 8, stopBits: 1 },
  byteOrder: 'CDAB',
  probe: { key: 'voltageL1', between: [80, 300] },
  notes: [lowWordFirst],
  sourced: true,
} as const

const measured = [
  ...at('input', 'int32', { voltageL1: 0, voltageL2: 2, voltageL3: 4 }, { factor: 0.1 }),
  ...at('input', 'int32', { currentL1: 12, currentL2: 14, currentL3: 16 }, { factor: 0.001 }),
  ...at('input', 'int32', { powerL1: 18, powerL2: 20, powerL3: 22, power: 40 }, { factor: 0.1 }),
]
const tenths = { factor: 0.1, precision: 1 }

export const carloGavazziEm24: LibraryTemplate = {
  ...shared,
  key: 'carlo-gavazzi-em24',
  name: [
    'Carlo Gavazzi EM24 energy analyser',
    'Carlo Gavazzi EM24 电能分析仪',
    'Carlo Gavazzi EM24 電能分析儀',
  ],
  models: ['EM24'],
  source: {
    document: 'Carlo Gavazzi EM24-DIN communication protocol, instantaneous variables and meters',
    read: 'volkszaehler/mbmd meters/rs485/carlogavazzi-em24.go (addresses and scales only), whose energy imported is the partial meter, which a user can reset; aggsoft.com and the protocol (total at 003Eh, at most 11 registers at once)',
  },
  maxRegisters: 11,
  variables: [
    ...measured,
    ...at(
      'input',
      'int16',
      { powerFactorL1: 50, powerFactorL2: 51, powerFactorL3: 52, powerFactor: 53 },
      { factor: 0.001 },
    ),
    ...at('input', 'int16', { frequency: 55 }, tenths),
    ...at(
      'input',
      'int32',
      { imported: 62, importedL1: 70, importedL2: 72, importedL3: 74, exported: 92 },
      tenths,
    ),
  ],
}

export const carloGavazziEm340: LibraryTemplate = {
  ...shared,
  key: 'carlo-gavazzi-em340',
  name: [
    'Carlo Gavazzi EM/ET 330 and 340',
    'Carlo Gavazzi EM/ET 330/340 电能表',
    'Carlo Gavazzi EM/ET 330/340 電表',
  ],
  models: ['EM330', 'EM340', 'ET330', 'ET340'],
  source: {
    document:
      'Carlo Gavazzi EM330/EM340/ET330/ET340 communication protocol, instantaneous variables and meters',
    read: 'volkszaehler/mbmd meters/rs485/carlogavazzi-ex3x0.go (addresses and scales only)',
  },
  maxRegisters: 50,
  variables: [
    ...measured,
    ...at(
      'input',
      'int16',
      { powerFactorL1: 46, powerFactorL2: 47, powerFactorL3: 48, powerFactor: 49 },
      { factor: 0.001 },
    ),
    ...at('input', 'int16', { frequency: 51 }, tenths),
    ...at(
      'input',
      'int32',
      { imported: 52, importedL1: 64, importedL2: 66, importedL3: 68, exported: 78 },
      tenths,
    ),
  ],
}
