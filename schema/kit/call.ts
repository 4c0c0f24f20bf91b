/**
 * The makers of calls: one declaration defines the route, the typed client, the query key, OpenAPI and `ops call`.
 */
import { z } from 'zod'
import type { About } from './about.ts'
import { ofKind } from './kind.ts'
import type { Permission } from './permission.ts'
import type { Instant } from './time.ts'

/** 'none': no login; 'login': any valid session; a permission: the actor's role must have it. */
export type Access = 'none' | 'login' | Permission

/**
 * How data is transferred. `json`: JSON body, envelope in return. `upload`: `body` is the query string and the
 * request body is the raw file. `download`: JSON body (or query for GET), a file in return; `events`: a stream of
 * server-sent events, each with the declared reply; refusals are still an envelope.
 */
export type Carrier = 'json' | 'upload' | 'download' | 'events'

/**
 * Maximum JSON body of a call [bytes]. `open`: without a login; `login`: forms and filters; `selection`: ids of a
 * whole fleet; `text`: a file as text. `upload` calls are limited by their handlers.
 */
export const bodyLimits = {
  open: 16 * 1024,
  login: 64 * 1024,
  selection: 1280 * 1024,
  text: 5 * 1024 * 1024,
} as const

/**
 * Maximum number of keys of all objects in the JSON body of a call. In most bodies only lists and texts are long;
 * `rows`: of a thousand rows with up to 30 fields each.
 */
export const keyLimits = { form: 5_000, rows: 30_000 } as const

export type Call<B extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> = {
  readonly kind: 'call'
  /** The path without `/api/`: unique, used by `ops call` and the operation log. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly permission: Access
  readonly body: B
  readonly reply: R
  readonly summary: string
  readonly carrier: Carrier
  /** The call changes something: written to the operation log with its result, body redacted. */
  readonly writes: boolean
  /** A form of the console asks for its body: of all that write or upload, and of those that say so. */
  readonly form: boolean
  /** The object it works on; null only if nothing is written. */
  readonly about: About | null
  /**
   * Fields in which an empty text or null means absent, because forms send all their fields; `rows.min` is that of each
   * row of a list.
   */
  readonly blanks: readonly string[]
  /** Maximum JSON body [bytes]; a larger one is refused before it is read. */
  readonly bodyLimit: number
  /** Maximum number of keys in it. */
  readonly keyLimit: number
  /**
   * It may cost a large part of a second: of one user few run at a time, the others wait [decisions/190]. All calls with
   * long bodies, and those that say so.
   */
  readonly heavy: boolean
}

/** What a caller passes: before defaults and transforms. */
export type BodyOf<C extends Call> = z.input<C['body']>
/** What the handler receives. */
export type ParsedBodyOf<C extends Call> = z.output<C['body']>
/** The type of `data`. */
export type ReplyOf<C extends Call> = z.output<C['reply']>
/** What a handler may return: the reply, with a Date for every Instant. */
export type GivenReplyOf<C extends Call> = Given<ReplyOf<C>>
type Given<T> = T extends Instant
  ? Date | string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer U)[]
      ? Given<U>[]
      : T extends object
        ? { [K in keyof T]: Given<T[K]> }
        : T

type Declaration<B extends z.ZodType, R extends z.ZodType> = {
  path: `/api/${string}`
  permission: Access
  summary: string
  method?: 'GET' | 'POST'
  body?: B
  reply?: R
  carrier?: Carrier
  writes?: boolean
  form?: true
  about?: About
  blanks?: readonly string[]
  bodyLimit?: number
  keyLimit?: number
  heavy?: true
}

/**
 * Declares one call. `body` defaults to an empty object, `reply` to null, `method` to POST, `carrier` to json,
 * `bodyLimit` depends on the permission: 16 kB without login, 64 kB with; `keyLimit` is 5,000. Duplicate names are refused at boot by
 * `gather` in api/serve.
 */
export function call<
  B extends z.ZodType = z.ZodObject<Record<never, never>>,
  R extends z.ZodType = z.ZodNull,
>(d: Declaration<B, R>): Call<B, R> {
  return {
    kind: 'call',
    name: d.path.slice('/api/'.length),
    method: d.method ?? 'POST',
    path: d.path,
    permission: d.permission,
    summary: d.summary,
    body: d.body ?? (z.object({}) as unknown as B),
    reply: d.reply ?? (z.null() as unknown as R),
    carrier: d.carrier ?? 'json',
    writes: d.writes ?? false,
    form: d.form ?? (d.writes === true || d.carrier === 'upload'),
    about: d.about ?? null,
    blanks: d.blanks ?? [],
    bodyLimit: d.bodyLimit ?? (d.permission === 'none' ? bodyLimits.open : bodyLimits.login),
    keyLimit: d.keyLimit ?? keyLimits.form,
    heavy: d.heavy ?? (d.bodyLimit ?? 0) > bodyLimits.login,
  }
}

export const isCall = ofKind<Call>('call')
