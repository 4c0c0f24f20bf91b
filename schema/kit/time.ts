import { z } from 'zod'
import { because } from './fault.ts'

/** A time on the wire: ISO 8601 in UTC with milliseconds. Handlers may return a Date instead. */
export const instant = z.iso.datetime({ offset: true }).brand<'Instant'>()
export type Instant = z.infer<typeof instant>

const FIRST_YEAR = 1970
const LAST_YEAR = 9_000
const within = <S extends z.ZodType<string>>(text: S) => {
  const yearOf = (value: string) => new Date(value).getUTCFullYear()
  return text
    .refine((value) => yearOf(value) >= FIRST_YEAR, because({ reason: 'less', n: FIRST_YEAR }))
    .refine((value) => yearOf(value) <= LAST_YEAR, because({ reason: 'greater', n: LAST_YEAR }))
}

/** What is no time stays as it is, for the refusal. */
const inUtc = (text: string) => {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}
/**
 * A time that a user asks for, in UTC. PostgreSQL and JavaScript write years before 1 and after 9999 in different ways,
 * and PostgreSQL knows no zone that is more than 16 hours from UTC.
 */
export const askedTime = within(z.iso.datetime({ offset: true })).overwrite(inUtc)
/** A day that a user asks for, likewise: PostgreSQL knows no year 0. */
export const askedDay = within(z.iso.date())

/** A device's clock: integer milliseconds since 1970 UTC; 0 means "no clock" (then the platform's time is used). */
export const deviceTime = z.int().min(0).max(8_640_000_000_000)

/** The IANA name of a device's own zone; null: not reported, or the device now belongs to another customer. */
export const deviceZone = z.string().nullable()
