// Generated from the files in schema/device/figures/ by `npm run generate`; do not edit.
import { cpuPercent } from './figures/cpu-percent.ts'
import { load1 } from './figures/load1.ts'
import { memoryUsedPercent } from './figures/memory-used-percent.ts'
import { signalDbm } from './figures/signal-dbm.ts'
import { temperatureCelsius } from './figures/temperature-celsius.ts'

export const figures = { signalDbm, cpuPercent, load1, memoryUsedPercent, temperatureCelsius }
