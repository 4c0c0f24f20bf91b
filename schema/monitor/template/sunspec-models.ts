/**
 * The points of the SunSpec models that ready templates and the walk know, by their offset from the model's id register
 * [SunSpec Information Model Reference; sunspec/models, Apache-2.0]. `power` is the offset of the register with the power
 * of ten.
 */
import type { quantities } from '../library/quantities.ts'

export type SunspecPoint = {
  key: keyof typeof quantities
  at: number
  type: 'int16' | 'uint16' | 'uint32'
  power?: number
  /** Before the power of ten: energy is counted in Wh and shown in kWh. */
  factor?: number
}

const points = (
  type: SunspecPoint['type'],
  power: number | undefined,
  places: Partial<Record<SunspecPoint['key'], number>>,
  factor = 1,
): SunspecPoint[] =>
  (Object.entries(places) as [SunspecPoint['key'], number][]).map(([key, at]) => ({
    key,
    at,
    type,
    ...(power === undefined ? {} : { power }),
    ...(factor === 1 ? {} : { factor }),
  }))

const KILO = 0.001

/** 101, 102 and 103: inverters with one phase, a split phase and three, all with the same layout. */
const inverter = [
  ...points('uint16', 6, { current: 2, currentL1: 3, currentL2: 4, currentL3: 5 }),
  ...points('uint16', 13, { voltageL12: 7, voltageL23: 8, voltageL31: 9 }),
  ...points('uint16', 13, { voltageL1: 10, voltageL2: 11, voltageL3: 12 }),
  ...points('int16', 15, { acPower: 14 }),
  ...points('uint16', 17, { frequency: 16 }),
  ...points('int16', 19, { apparentPower: 18 }),
  ...points('int16', 21, { reactivePower: 20 }),
  ...points('int16', 23, { powerFactorPercent: 22 }),
  ...points('uint32', 26, { yield: 24 }, KILO),
  ...points('uint16', 28, { dcCurrent: 27 }),
  ...points('uint16', 30, { dcVoltage: 29 }),
  ...points('int16', 32, { dcPower: 31 }),
  ...points('int16', 37, { cabinetTemperature: 33 }),
  ...points('uint16', undefined, { operatingState: 38 }),
]
const absent = {
  /** Of the layout's phases, what one phase does not have. */
  101: ['currentL2', 'currentL3', 'voltageL12', 'voltageL23', 'voltageL31', 'voltageL2', 'voltageL3'],
  102: ['currentL3', 'voltageL23', 'voltageL31', 'voltageL3'],
} as const
const without = (keys: readonly string[]) => inverter.filter(({ key }) => !keys.includes(key))

/** 201 to 204: meters, all with the same layout. */
const meter = [
  ...points('int16', 6, { current: 2, currentL1: 3, currentL2: 4, currentL3: 5 }),
  ...points('int16', 15, { voltage: 7, voltageL1: 8, voltageL2: 9, voltageL3: 10 }),
  ...points('int16', 15, { voltageL12: 12, voltageL23: 13, voltageL31: 14 }),
  ...points('int16', 17, { frequency: 16 }),
  ...points('int16', 22, { power: 18, powerL1: 19, powerL2: 20, powerL3: 21 }),
  ...points('int16', 27, {
    apparentPower: 23,
    apparentPowerL1: 24,
    apparentPowerL2: 25,
    apparentPowerL3: 26,
  }),
  ...points('int16', 32, {
    reactivePower: 28,
    reactivePowerL1: 29,
    reactivePowerL2: 30,
    reactivePowerL3: 31,
  }),
  ...points('int16', 37, { powerFactorPercent: 33 }),
  ...points('uint32', 54, { exported: 38, exportedL1: 40, exportedL2: 42, exportedL3: 44 }, KILO),
  ...points('uint32', 54, { imported: 46, importedL1: 48, importedL2: 50, importedL3: 52 }, KILO),
]

export const SUNSPEC_COMMON = 1
export const sunspecModels: Readonly<Record<number, readonly SunspecPoint[]>> = {
  101: without(absent[101]),
  102: without(absent[102]),
  103: inverter,
  201: meter,
  202: meter,
  203: meter,
  204: meter,
}

/** What each type says when a point is not implemented. */
export const SUNSPEC_NONE = { int16: '8000', uint16: 'FFFF', uint32: 'FFFFFFFF' } as const
