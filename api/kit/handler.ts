/**
 * Makers of handlers: the declaration, and the code to run. Errors: `refuse(...)` for the user, throw for a fault.
 */
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Context } from '#infra/context'
import type { Call, GivenReplyOf, ParsedBodyOf } from '#schema/kit/call'
import { ofKind } from '#schema/kit/kind'
import type { Language } from '#schema/kit/refusal'
import type { FoundAll, Objects } from './about.ts'
import type { Actor } from './actor.ts'
import type { EventStream } from './event-stream.ts'
import type { JsonText } from './json-text.ts'

export type OpenContext = Context & {
  language: Language
  ip: string
  userAgent: string
  requestId: string
  jwt: FastifyInstance['jwt']
  /** The raw body of an `upload` call. */
  stream: Readable
  call: Call
  /** The call's objects, as declared; handlers read them with `rowOf`. */
  found: FoundAll
  /** The actor as of now: for streams that outlast a change of rights. @throws Refusal when the login has ended. */
  again(): Promise<Actor>
  /** Adds to the operation log what the object's own fields do not show. */
  note(change: Change): void
}
/**
 * `before` and `after` are redacted like bodies, and added to earlier notes; `serve()` logs the fields of edited,
 * created and deleted objects. `object` and `objects` are set by `tell` and `edit` (api/kit). `who` is for calls
 * without a login: the user that the handler found.
 */
export type Change = {
  object?: string
  objects?: Objects
  before?: Readonly<Record<string, unknown>> | readonly unknown[] | undefined
  after?: Readonly<Record<string, unknown>> | undefined
  customerId?: number | null
  /** A dry run: nothing was changed, and nothing is logged. */
  trial?: true
  who?: { userId: number; username: string; customerId: number | null }
}
export type CallContext = OpenContext & { actor: Actor }

/** The result of a `download` call. */
export type FileReply = { fileName: string; mime: string; stream: Readable }

export type Handler = {
  kind: 'handler'
  call: Call
  run(ctx: OpenContext & { actor: Actor | null }, body: unknown): Promise<unknown>
}

/** Handles a call that needs a login. A reply in `JsonText` is trusted to have the declared shape; tests check it. */
export function handler<C extends Call>(
  call: C,
  run: (ctx: CallContext, body: ParsedBodyOf<C>) => Promise<GivenReplyOf<C> | JsonText>,
): Handler {
  if (call.permission === 'none') throw new Error(`${call.name} needs no login: use openHandler`)
  return { kind: 'handler', call, run: (ctx, body) => run(ctx as CallContext, body as ParsedBodyOf<C>) }
}

/** Handles a call with permission 'none'. */
export function openHandler<C extends Call>(
  call: C,
  run: (ctx: OpenContext, body: ParsedBodyOf<C>) => Promise<GivenReplyOf<C>>,
): Handler {
  if (call.permission !== 'none') throw new Error(`${call.name} needs a login: use handler`)
  return { kind: 'handler', call, run: (ctx, body) => run(ctx, body as ParsedBodyOf<C>) }
}

/** Handles a call that returns a file. */
export function downloadHandler<C extends Call>(
  call: C,
  run: (ctx: CallContext, body: ParsedBodyOf<C>) => Promise<FileReply>,
): Handler {
  return {
    kind: 'handler',
    call,
    run: async (ctx, body) => {
      const file = await run(ctx as CallContext, body as ParsedBodyOf<C>)
      // It is sent after the call is logged: if it fails before, nobody else listens, which would end the process. Sending it
      // fails then.
      file.stream.on('error', () => undefined)
      return file
    },
  }
}

/** Handles a call that returns server-sent events; stop working for it when the stream closes. */
export function eventsHandler<C extends Call>(
  call: C,
  run: (ctx: CallContext, body: ParsedBodyOf<C>) => Promise<EventStream>,
): Handler {
  return { kind: 'handler', call, run: (ctx, body) => run(ctx as CallContext, body as ParsedBodyOf<C>) }
}

export const isHandler = ofKind<Handler>('handler')
