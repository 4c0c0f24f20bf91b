/** How much mobile data a task that sends a file uses, compared with the devices' data plans. */
import { z } from 'zod'
import { field } from '../kit/field.ts'

/** Decimal megabytes, as carriers count. */
export const BYTES_PER_MB = 1_000_000
const PLAN_MAX_MB = 10_000_000

/** A field of devices and groups; a device without one has that of the nearest group above it. */
export const dataPlanMb = field(z.coerce.number().int().min(0).max(PLAN_MAX_MB), {
  label: 'device:column.dataPlanMb',
  hint: 'device:dataPlan.hint',
})
  .nullish()
  .describe('monthly mobile data in MB of a million bytes; 0 or null: no plan of its own')

export const mobileData = z
  .object({
    devices: z.number().describe('whose last status names a mobile network as their uplink'),
    bytes: z.number().describe('that they download together, when each succeeds at once'),
    unknown: z.number().describe('of them without a plan, of their own or of a group'),
    over: z.number().describe('for which the file is more than what is left of this month’s plan'),
    sample: z.array(z.string()).describe('some serial numbers of those'),
  })
  .describe('by the traffic of this month so far, UTC')
export type MobileData = z.output<typeof mobileData>
