import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, bigint, integer, real, timestamp } from 'drizzle-orm/pg-core'
import { eachFigure } from '../device/figure.ts'

/** timestamptz in milliseconds, read as Date. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
/** Auto-incremented primary key. */
export const serialId = (name: string) => integer(name).primaryKey().generatedAlwaysAsIdentity()
/** A byte count: exact up to 2^53. */
export const bytes = (name: string) => bigint(name, { mode: 'number' })

/** A column for each figure of a device's status. */
export const figureColumns = () => eachFigure(({ column }) => real(column))

/**
 * [decisions/064] Names that look alike are equal: ignoring case, width and spaces. The function is defined in
 * schema/migrations/by-hand.sql.
 */
export const nameKey = (name: AnyPgColumn | SQL): SQL => sql`name_key(${name})`

/** Phone numbers are compared by their digits with the country code; the function is defined there, too. */
export const phoneKey = (phone: AnyPgColumn | SQL): SQL => sql`phone_key(${phone})`
