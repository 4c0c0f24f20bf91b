/** Eastron SDM: single-phase and three-phase meters with the same floats at the same addresses. */
import { at, type LibraryTemplate } from './library-template.ts'

const shared = {
  type: 'powerMeter',
  vendor: 'Eastron',
  protocols: ['rtu'],
  serial: { baudRate: 9_600, parity: 'none', dataBits: 8, stopBits: 1 },
  byteOrder: 'ABCD',
  maxRegisters: 80,
  sourced: true,
} as const

const threePhases = {
  ...{ voltageL1: 0, voltageL2: 2, voltageL3: 4 },
  ...{ currentL1: 6, currentL2: 8, currentL3: 10 },
  ...{ powerL1: 12, powerL2: 14, powerL3: 16 },
  ...{ apparentPowerL1: 18, apparentPowerL2: 20, apparentPowerL3: 22 },
  ...{ reactivePowerL1: 24, reactivePowerL2: 26, reactivePowerL3: 28 },
  ...{ powerFactorL1: 30, powerFactorL2: 32, powerFactorL3: 34 },
  ...{ power: 52, apparentPower: 56, reactivePower: 60, powerFactor: 62 },
  ...{ frequency: 70, imported: 72, exported: 74 },
  ...{ total: 342, reactiveTotal: 344 },
}

export const eastronSdm630: LibraryTemplate = {
  ...shared,
  key: 'eastron-sdm630',
  name: ['Eastron SDM630 power meter', 'Eastron SDM630 三相电能表', 'Eastron SDM630 三相電表'],
  models: ['SDM630'],
  probe: { key: 'voltageL1', between: [80, 300] },
  notes: [],
  source: {
    document: 'Eastron SDM630 Modbus protocol, table of input registers',
    read: 'volkszaehler/mbmd meters/rs485/sdm.go (addresses only)',
  },
  variables: at('input', 'float32', {
    ...threePhases,
    ...{ phaseAngle: 66, reactiveImported: 76, reactiveExported: 78 },
    ...{ distortionL1: 234, distortionL2: 236, distortionL3: 238, distortion: 248 },
    ...{ importedL1: 346, importedL2: 348, importedL3: 350 },
    ...{ exportedL1: 352, exportedL2: 354, exportedL3: 356 },
    ...{ totalL1: 358, totalL2: 360, totalL3: 362 },
    ...{ reactiveImportedL1: 364, reactiveImportedL2: 366, reactiveImportedL3: 368 },
    ...{ reactiveExportedL1: 370, reactiveExportedL2: 372, reactiveExportedL3: 374 },
    ...{ reactiveTotalL1: 376, reactiveTotalL2: 378, reactiveTotalL3: 380 },
  }),
}

export const eastronSdm72: LibraryTemplate = {
  ...shared,
  key: 'eastron-sdm72',
  name: ['Eastron SDM72D-M v2 power meter', 'Eastron SDM72D-M v2 三相电能表', 'Eastron SDM72D-M v2 三相電表'],
  models: ['SDM72D-M v2'],
  probe: { key: 'voltageL1', between: [80, 300] },
  notes: [],
  source: {
    document: 'Eastron SDM72D-M v2 Modbus protocol, table of input registers',
    read: 'volkszaehler/mbmd meters/rs485/sdm72v2.go (addresses only)',
  },
  variables: at('input', 'float32', threePhases),
}

export const eastronSdm230: LibraryTemplate = {
  ...shared,
  key: 'eastron-sdm230',
  name: ['Eastron SDM230 power meter', 'Eastron SDM230 单相电能表', 'Eastron SDM230 單相電表'],
  models: ['SDM230'],
  probe: { key: 'voltage', between: [80, 300] },
  notes: [],
  source: {
    document: 'Eastron SDM230 Modbus protocol, table of input registers',
    read: 'volkszaehler/mbmd meters/rs485/sdm230.go (addresses only)',
  },
  variables: at('input', 'float32', {
    ...{ voltage: 0, current: 6, power: 12, apparentPower: 18, reactivePower: 24, powerFactor: 30 },
    ...{ phaseAngle: 36, frequency: 70, imported: 72, exported: 74 },
    ...{ reactiveImported: 76, reactiveExported: 78, total: 342, reactiveTotal: 344 },
  }),
}
