import { z } from 'zod'
import { figure } from '#schema/kit/figure'

export const load1 = figure({
  name: 'load1',
  column: 'load1',
  reading: z.number().min(0).max(10_000),
  summary: 'load average over one minute',
  example: 0.21,
  unit: '',
  digits: 2,
  place: 30,
})
