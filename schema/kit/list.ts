import { z } from 'zod'
import { type Access, type Call, call } from './call.ts'

/** [§9] Lists of the specification ask for up to 100,000 rows; more is refused. */
export const LIST_LIMIT_MAX = 100_000
const LIST_LIMIT_DEFAULT = 10

/** Text that Postgres can hold: no NUL, no half of a surrogate pair [threats 14]. */
export const storable = (text: z.ZodString) => text.regex(/^[^\0\p{Cs}]*$/u)

/** The paging half of every list body: `offset` is the page number and starts at 1 [§2 Shared list behaviour]. */
export const paging = z.object({
  offset: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT),
  search: storable(z.string().trim().max(100)).optional(),
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

/**
 * Declares a list: paging, search, sort over the named columns, plus `filters`; answers `{ list, total }`.
 * `sorts[0]` is the default order. Bounds: page size 1–100,000, search ≤ 100 characters.
 */
export function listCall<
  R extends z.ZodType,
  const S extends readonly [string, ...string[]],
  F extends z.ZodRawShape = Record<never, never>,
>(d: {
  path: `/api/${string}`
  permission: Access
  summary: string
  row: R
  sorts: S
  filters?: F
  blanks?: readonly string[]
}) {
  const body = paging.extend({ sort: z.enum(d.sorts).optional(), ...(d.filters ?? ({} as F)) })
  const reply = z.object({ list: z.array(d.row), total: z.number().int(), more })
  return {
    ...call({
      path: d.path,
      permission: d.permission,
      summary: d.summary,
      body,
      reply,
      ...(d.blanks ? { blanks: d.blanks } : {}),
    }),
    sorts: d.sorts,
  }
}

export type ListCall = Call & { readonly sorts: readonly string[] }
export type RowOf<C extends Call> = C extends Call<z.ZodType, Listed<infer R>> ? z.output<R> : never
