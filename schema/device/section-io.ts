/** Digital inputs and outputs of a device: relays, contacts. */
import { z } from 'zod'

export const ioName = z
  .string()
  .trim()
  .min(1)
  .max(32)
  .regex(/^[^\p{Cc}]*$/u)

export const ioDirections = ['in', 'out'] as const

export const ioSection = z.object({
  name: ioName.describe('of an output: that of its `gpio_switch`'),
  direction: z.enum(ioDirections),
  on: z.boolean().describe('as read at the pin'),
})
