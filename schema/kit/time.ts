import { z } from 'zod'

/** A time on the wire: ISO 8601 in UTC with milliseconds. Handlers may return a Date instead. */
export const instant = z.iso.datetime({ offset: true }).brand<'Instant'>()
export type Instant = z.infer<typeof instant>

/** A device's clock: integer milliseconds since 1970 UTC; 0 means "no clock" (then the platform's time is used). */
export const deviceTime = z.int().min(0).max(8_640_000_000_000)

/** The IANA name of a device's own zone; null: not reported, or the device now belongs to another customer. */
export const deviceZone = z.string().nullable()
