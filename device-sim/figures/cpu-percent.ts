import { cpuPercent } from '#schema/device/figures/cpu-percent'
import { shows } from '../figure.ts'

export const showCpuPercent = shows(cpuPercent, ({ load, dice }) =>
  Math.min(100, Math.max(0, load * 55 + dice.between(-3, 3))),
)
