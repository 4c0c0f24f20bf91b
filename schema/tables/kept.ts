import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { ofKind } from '../kit/kind.ts'

export type Kept = { readonly kind: 'kept'; readonly table: string; readonly why: string }

/**
 * Declares beside a table that it is never trimmed, and why it cannot grow without limit. Others are listed in
 * retention.ts.
 */
export const kept = (table: PgTable, why: string): Kept => ({ kind: 'kept', table: getTableName(table), why })

export const isKept = ofKind<Kept>('kept')

/** The most frequent reason. */
export const BY_PEOPLE = 'made by people, one by one'
export const PER_DEVICE = 'one row for each device'
