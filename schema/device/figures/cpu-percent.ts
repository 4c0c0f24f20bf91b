import { z } from 'zod'
import { figure } from '#schema/kit/figure'

export const cpuPercent = figure({
  name: 'cpuPercent',
  column: 'cpu_percent',
  reading: z.number().min(0).max(100),
  summary: 'share of the processor in use since the sample before, all cores together',
  example: 7.5,
  unit: '%',
  digits: 0,
  place: 20,
})
