/**
 * Where the objects of one kind are stored, who sees them, what they are called and what can be edited of them: said once,
 * read by `serve()`, by the operation log and by everything that judges editions.
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

/** What is edited together: who changes one part takes nothing from who changes another. */
export type Part = {
  table: PgTable
  /** Holds the object's id. */
  id: PgColumn
  /** What edits change, by the names that their bodies have. SQL must name its tables in full. */
  fields: Fields
  /** What they change and nobody is shown: sealed passwords. The log tells that they changed. */
  hidden?: Fields
}

export type Stored<R extends SelectedFields = SelectedFields> = {
  readonly kind: 'stored'
  object: ObjectKind
  table: PgTable
  id: PgColumn
  /** What people call it: in the operation log. */
  name: PgColumn | SQL
  customerId?: PgColumn | SQL
  /** By which the log of a device finds it. */
  deviceId?: PgColumn
  /** Which of them the actor may know of: a call about any other is answered as if it did not exist. */
  seen(walls: Walls, actor: Actor): SQL | undefined
  /** Those whose names may stand in the log of a refused call; absent: as `seen`. */
  nameable?(walls: Walls): SQL | undefined
  /** What handlers get, one statement. */
  row(actor: Actor): R
  parts?: Readonly<Record<string, Part>>
  /** What cannot be edited and is worth telling of one that was made or deleted. */
  facts?: Fields
  /** How one that is not seen is refused; absent: no permission (5). */
  missing?: RefusalKind
}
export type RowOf<S> = S extends Stored<infer R> ? SelectResultFields<R> : never

/** Declares where the objects of a kind are. Exported by a file of `api/<subject>/`, it is found by `serve()`. */
export const stored = <R extends SelectedFields, P extends Readonly<Record<string, Part>>>(
  what: Omit<Stored<R>, 'kind' | 'parts'> & { parts?: P },
): Stored<R> & { parts: P } => ({ kind: 'stored', ...what, parts: what.parts ?? ({} as P) })

export const isStored = ofKind<Stored>('stored')

/** The one part of most of them. */
export const PLAIN = 'main'

/** Parts in the same rows: an edit of one may show in another. */
export const partsBeside = (of: Stored, name: string): Readonly<Record<string, Part>> => {
  const parts = of.parts ?? {}
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part.table === parts[name]?.table))
}

/** The fields of several parts, each column once under the name that it was given first. */
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
