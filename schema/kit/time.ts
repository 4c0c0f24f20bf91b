import { z } from 'zod'

/** A moment on the wire: ISO 8601 in UTC with milliseconds. Handlers may answer a Date instead. */
export const instant = z.iso.datetime({ offset: true }).brand<'Instant'>()
export type Instant = z.infer<typeof instant>

/** A device's clock: milliseconds since 1970 UTC, whole; 0 says "I have no clock" (then the platform's is used). */
export const deviceTime = z.int().min(0).max(8_640_000_000_000)

/** The IANA name of a device's own zone; null: it does not say, or it is somebody else's by now. */
export const deviceZone = z.string().nullable()
