/** The range of a device's charts, divided into equal buckets. */
import { z } from 'zod'
import { askedTime } from '../kit/time.ts'

/** A device that reports every 30 s has 90,000 samples in it; longer ranges are shown by the reports, from hourly sums. */
export const CHART_DAYS_MAX = 31

export const chartRange = {
  hours: z.coerce
    .number()
    .int()
    .min(1)
    .max(24 * CHART_DAYS_MAX)
    .default(24)
    .describe('up to now; without effect if `from` is given'),
  from: askedTime.optional(),
  to: askedTime.optional().describe('absent or in the future: now'),
  buckets: z.coerce.number().int().min(10).max(500).default(144),
}

const range = z.object(chartRange)
export type ChartRange = z.output<typeof range>
