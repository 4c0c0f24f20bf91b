/** Which devices may have too little memory for a file. Routers keep it in RAM, with what they unpack from it, until it is installed. */
import { z } from 'zod'

/** The archive, and its contents, which are compressed as well. */
export const COPIES_IN_MEMORY = 2
/** Of the RAM of a router with OpenWrt, the part that may hold files: its /tmp. */
export const MEMORY_FOR_FILES = 0.5

export const memoryShort = z
  .object({
    count: z.number().describe('whose last status shows less'),
    sample: z.array(z.string()).describe('some serial numbers of those'),
    neededBytes: z.number().describe('of RAM, while a package of this size is installed'),
  })
  .describe('by the last status; a device that keeps files elsewhere is not affected')
export type MemoryShort = z.output<typeof memoryShort>
