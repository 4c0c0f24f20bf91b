/**
 * How the objects of one kind are stored, who may see them, their names and editable fields: declared once, and used
 * by `serve()`, the operation log and everything that compares editions.
 */
import { is, type SQL } from 'drizzle-orm'
import { PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { SelectedFieldsFlat as SelectedFields } from 'drizzle-orm/pg-core/query-builders/select.types'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import type { ObjectKind } from '#schema/kit/about'
import { ofKind } from '#schema/kit/kind'
import type { RefusalKind } from '#schema/kit/refusal'
import type { Actor } from './actor.ts'
import type { visible } from './scope.ts'

export type Walls = ReturnType<typeof visible>
export type Fields = Readonly<Record<string, PgColumn | SQL>>

/** Fields that are edited together: edits of different parts do not conflict. Most kinds have one part, `main`. */
export type Part = {
  table: PgTable
  /** The column with the object's id. */
  id: PgColumn
  /** Under the names used in bodies. SQL must qualify its columns with the table. */
  fields: Fields
  /** Never shown, such as encrypted passwords: the log only shows that they changed. */
  hidden?: Fields
}

export type Stored<R extends SelectedFields = SelectedFields> = {
  readonly kind: 'stored'
  object: ObjectKind
  table: PgTable
  id: PgColumn
  /** The name in the operation log. */
  name: PgColumn | SQL
  customerId?: PgColumn | SQL
  /** So that the log filtered by device contains it. */
  deviceId?: PgColumn
  /** The objects that the actor may see: a call about any other is refused as if it did not exist. */
  seen(walls: Walls, actor: Actor): SQL | undefined
  /** The objects that the log of a refused call may name; absent: as `seen`. */
  nameable?(walls: Walls): SQL | undefined
  /** The columns that handlers get from `rowOf`. */
  row(actor: Actor): R
  parts?: Readonly<Record<string, Part>>
  /** Not editable, but logged when one is created or deleted. */
  facts?: Fields
  /** The refusal for an object that is not found; absent: no permission (5). */
  missing?: RefusalKind
}
export type RowOf<S> = S extends Stored<infer R> ? SelectResultFields<R> : never

/** Declares how a kind is stored. `serve()` gathers the exports of `api/<subject>/`. */
export const stored = <R extends SelectedFields, P extends Readonly<Record<string, Part>>>(
  what: Omit<Stored<R>, 'kind' | 'parts'> & { parts?: P },
): Stored<R> & { parts: P } => ({ kind: 'stored', ...what, parts: what.parts ?? ({} as P) })

export const isStored = ofKind<Stored>('stored')

/** Parts in the same rows: an edit of one may affect another. */
export const partsBeside = (of: Stored, name: string): Readonly<Record<string, Part>> => {
  const parts = of.parts ?? {}
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part.table === parts[name]?.table))
}

/** The fields of several parts, each column once under its first name. */
export function mergedFields(parts: readonly Part[]): Fields {
  const seen = new Set<unknown>()
  const fresh = parts.flatMap(({ fields }) =>
    Object.entries(fields).filter(([, column]) => {
      const known = seen.has(column)
      seen.add(column)
      return !known
    }),
  )
  return Object.fromEntries(fresh)
}

export const allPlain = (parts: readonly Part[]): boolean =>
  parts.every(({ fields }) => Object.values(fields).every((column) => is(column, PgColumn)))
