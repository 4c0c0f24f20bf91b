import { z } from 'zod'
import type { About } from './about.ts'
import { type Access, type Call, call, isCall } from './call.ts'
import { field } from './field.ts'
import { shaped } from './shape.ts'

/** [§9] Lists of the specification request up to 100,000 rows; more is refused. */
export const LIST_LIMIT_MAX = 100_000
const LIST_LIMIT_DEFAULT = 10
export const LIST_PAGE_MAX = 1_000_000
export const SEARCH_MAX = 100

/** Text that Postgres can store: no NUL, no lone surrogate [threats 14]. */
export const storable = (text: z.ZodString) => text.regex(shaped(/^[^\0\p{Cs}]*$/u, 'storable'))

/** What a user searches for. `within`: the fields that are searched. */
export const searchText = (within?: readonly string[]) => {
  const text = storable(z.string().trim().max(SEARCH_MAX)).optional()
  return field(within ? text.describe(`part of ${within.join(', ')}`) : text, { label: 'list:search' })
}

/** The paging half of every list body: `offset` is the page number and starts at 1 [§2 Shared list behaviour]. */
export const paging = z.object({
  offset: z.coerce.number().int().min(1).max(LIST_PAGE_MAX).default(1),
  limit: z.coerce.number().int().min(1).max(LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT),
  search: searchText(),
  order: z.enum(['asc', 'desc']).optional(),
})

export type Listed<R extends z.ZodType> = z.ZodObject<{
  list: z.ZodArray<R>
  total: z.ZodNumber
  more: z.ZodOptional<z.ZodBoolean>
}>

const more = z
  .boolean()
  .optional()
  .describe('true: `total` is the least there are; not everything was counted or searched')

const presetsOf = (filters: z.ZodRawShape): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, filter]) => {
      const { data } = z.safeParse(filter, undefined)
      return typeof data === 'string' || typeof data === 'number' ? [[name, String(data)]] : []
    }),
  )

/**
 * Declares a list: paging, search, sort over the named columns, plus `filters`; returns `{ list, total }`. `sorts[0]`
 * is the default order. Bounds: page size 1–100,000, search ≤ SEARCH_MAX characters.
 */
export function listCall<
  R extends z.ZodType,
  const S extends readonly [string, ...string[]],
  F extends z.ZodRawShape = Record<never, never>,
  const W extends readonly (keyof z.output<R> & string)[] = readonly [],
>(d: {
  path: `/api/${string}`
  permission: Access
  summary: string
  row: R
  sorts: S
  /** Sorts that are descending by default: the highest value, or the latest time, first. */
  descending?: readonly NoInfer<S[number]>[]
  /**
   * Fields of the row in which `search` looks for a substring, ignoring case. Without them `search` is refused like any
   * unknown field.
   */
  searches?: W
  /**
   * A history that grows without limit, ordered by the time `sorts[0]`: counted and searched up to a limit
   * [decisions/050].
   */
  past?: true
  filters?: F
  /** The object whose rows are listed. */
  about?: About
  blanks?: readonly string[]
}) {
  const { sorts, descending = [], past = false } = d
  const searches: readonly string[] = d.searches ?? []
  const { search, ...rest } = paging.shape
  const searching = searches.length > 0 ? { search: searchText(searches) } : {}
  const body = z.object({
    ...rest,
    // Typed as if it were always there: without it, it is undefined.
    ...(searching as { search: typeof search }),
    order: paging.shape.order.describe(
      `default: asc${descending.length > 0 ? `; by ${descending.join(', ')} desc` : ''}`,
    ),
    sort: z.enum(sorts).optional().describe(`default: ${sorts[0]}`),
    ...(d.filters ?? ({} as F)),
  })
  const presets = presetsOf(d.filters ?? {})
  const reply = z.object({ list: z.array(d.row), total: z.number().int(), more })
  return {
    ...call({
      path: d.path,
      permission: d.permission,
      summary: d.summary,
      body,
      reply,
      ...(d.about ? { about: d.about } : {}),
      // Tables whose sort was cleared send an empty one.
      blanks: ['search', 'sort', 'order', ...(d.blanks ?? [])],
    }),
    sorts,
    descending: descending as readonly string[],
    searches: searches as W,
    past,
    ...(Object.keys(presets).length > 0 ? { presets } : {}),
  }
}

export type ListCall = Call & {
  readonly sorts: readonly string[]
  readonly descending: readonly string[]
  readonly searches: readonly string[]
  readonly past: boolean
  /** The defaults of filters, as text; filters without a default are left out. */
  readonly presets?: Readonly<Record<string, string>>
}
export const isListCall = (value: unknown): value is ListCall => isCall(value) && 'sorts' in value
export type RowOf<C extends Call> = C extends Call<z.ZodType, Listed<infer R>> ? z.output<R> : never
