/** The conditions and the order of a declared list, from the declaration, the columns and the body. */
import { and, asc, desc, eq, getTableColumns, ilike, inArray, is, or, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { ParsedBodyOf } from '#schema/kit/call'
import type { ListCall } from '#schema/kit/list'
import { contains } from './paging.ts'

export type Filter<C extends ListCall> = Exclude<
  keyof ParsedBodyOf<C> & string,
  'offset' | 'limit' | 'search' | 'sort' | 'order'
>
export type Column = AnyPgColumn | SQL | SQL.Aliased
/** How a filter compares; `null`: it has no effect. */
type Compare<V> = ((value: V) => SQL | undefined) | null

export type Asking<C extends ListCall> = {
  /** The table whose rows are listed and counted. */
  readonly table: PgTable
  /** Receives the search and all filters as one condition, for other calls that select the same rows. */
  readonly condition?: SQL | undefined
  /** Columns for sorting, searching or filtering, if the reply has no such column, or a converted one. */
  readonly by?: { readonly [name: string]: Column }
  /** Filters that are not an equality with the column of their name. */
  readonly filters?: { readonly [F in Filter<C>]?: Compare<NonNullable<ParsedBodyOf<C>[F]>> }
  /** Fields that use a different index. */
  readonly finds?: { readonly [name: string]: (text: string) => SQL }
  /** True for every match of the search, and found by an index; the fields are compared only where it is true. */
  readonly near?: (text: string) => SQL
  /** Columns without unknown values in this list, though they are nullable. */
  readonly known?: readonly PgColumn[]
  /** Precedes the requested order. */
  readonly first?: SQL
  /** The last sort column: unique in the list. Default: the table's `id`. */
  readonly tie?: PgColumn
}

export type ListBody = {
  offset: number
  limit: number
  search?: string
  sort?: string
  order?: 'asc' | 'desc'
}

const isAsked = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

const asText = (column: Column) =>
  is(column, PgColumn) && column.dataType !== 'string' ? sql`${column}::text` : (column as SQL)

/** `column`: the sort column; `tie`: the last one, which is unique. */
export function questionOf(
  call: ListCall,
  asking: Asking<ListCall>,
  columns: Readonly<Record<string, Column>>,
  body: ListBody,
) {
  const { table, filters, finds, near, first, known = [] } = asking
  const columnOf = (name: string): Column => {
    const column = columns[name]
    if (!column) throw new Error(`${call.name}: no column for ${name}`)
    return column
  }
  const compare = (name: string, value: unknown): SQL | undefined => {
    if (!isAsked(value)) return undefined
    const own = (filters as Readonly<Record<string, Compare<unknown>>> | undefined)?.[name]
    if (own !== undefined) return own?.(value)
    const column = columnOf(name) as PgColumn
    return Array.isArray(value) ? inArray(column, value) : eq(column, value)
  }
  const matches = (text: string) =>
    and(
      near?.(text),
      or(
        ...call.searches.map(
          (name) => finds?.[name]?.(text) ?? ilike(asText(columnOf(name)), contains(text)),
        ),
      ),
    )
  const { offset: _, limit: __, search, sort = call.sorts[0] ?? '', order, ...asked } = body
  const column = columnOf(sort)
  const down = (order ?? (call.descending.includes(sort) ? 'desc' : 'asc')) === 'desc'
  // A backward index scan returns unknown values first, so it serves both directions only if there are none.
  const isKnown =
    is(column, PgColumn) && ((column.notNull && column.table === table) || known.includes(column))
  const tie = asking.tie ?? getTableColumns(table)['id']
  if (!tie) throw new Error(`${call.name}: nothing ends its orders`)
  return {
    conditions:
      'condition' in asking
        ? [asking.condition]
        : [
            ...Object.entries(asked).map(([name, value]) => compare(name, value)),
            search ? matches(search) : undefined,
          ],
    // Unknown values come last in both directions; the tie-breaker follows the direction, so that one index serves
    // both.
    order: [
      ...(first ? [first] : []),
      ...(down
        ? [isKnown ? desc(column) : sql`${column} desc nulls last`, desc(tie)]
        : [asc(column), asc(tie)]),
    ],
    column: column as PgColumn,
    tie,
  }
}
