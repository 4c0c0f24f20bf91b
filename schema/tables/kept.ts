import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { ofKind } from '../kit/kind.ts'

export type Kept = { readonly kind: 'kept'; readonly table: string; readonly why: string }

/** Says beside a table that nothing trims it, and why it cannot grow without end. Others are named in retention.ts. */
export const kept = (table: PgTable, why: string): Kept => ({ kind: 'kept', table: getTableName(table), why })

export const isKept = ofKind<Kept>('kept')

/** Why most of them cannot. */
export const BY_PEOPLE = 'made by people, one by one'
export const PER_DEVICE = 'one row for each device'
