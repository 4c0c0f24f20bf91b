// Generated from the files in schema/alarm/kinds/ by `npm run generate`; do not edit.
import { configDrift } from './kinds/config-drift.ts'
import { cpu } from './kinds/cpu.ts'
import { load } from './kinds/load.ts'
import { memory } from './kinds/memory.ts'
import { newAddress } from './kinds/new-address.ts'
import { offline } from './kinds/offline.ts'
import { printerError } from './kinds/printer-error.ts'
import { rebootMissed } from './kinds/reboot-missed.ts'
import { reboots } from './kinds/reboots.ts'
import { signal } from './kinds/signal.ts'
import { simSwitched } from './kinds/sim-switched.ts'
import { taskPaused } from './kinds/task-paused.ts'
import { temperature } from './kinds/temperature.ts'
import { trafficDay } from './kinds/traffic-day.ts'
import { trafficMonth } from './kinds/traffic-month.ts'

export const alarmKinds = { offline, signal, trafficDay, trafficMonth, cpu, load, memory, temperature, reboots, simSwitched, newAddress, configDrift, printerError, rebootMissed, taskPaused }
