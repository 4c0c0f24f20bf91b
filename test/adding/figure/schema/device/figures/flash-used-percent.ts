import { z } from 'zod'
import { figure } from '#schema/kit/figure'

export const flashUsedPercent = figure({
  name: 'flashUsedPercent',
  column: 'flash_used_percent',
  reading: z.number().min(0).max(100),
  summary: 'share of the flash memory in use',
  example: 61,
  unit: '%',
  digits: 0,
  place: 45,
})
