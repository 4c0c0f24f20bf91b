/** Reads JSON bodies: limited in bytes, keys and depth, and in the total memory of all unfinished ones. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sayIn } from '#infra/say'
import { networkOf } from '#schema/kit/address'
import { keyLimits } from '#schema/kit/call'
import { type Fault, faultText } from '#schema/kit/fault'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { brings } from './late-body.ts'
import { languageOf } from './serve.ts'
import { openTally, type Tally } from './tally.ts'

const MB = 1024 * 1024
/**
 * Total bytes of bodies from their first byte until their request is completed, overall and per address. Counted
 * separately without a login, so that unauthenticated clients cannot use up what users need.
 */
export const heldBodies = {
  open: { all: 32 * MB, each: 4 * MB },
  login: { all: 128 * MB, each: 32 * MB },
} as const

/** Far more than any declared body; deeper ones would exhaust the stack. */
export const DEPTH_MAX = 32
/** Entries of all lists and objects together: more than the longest declared list. */
export const ENTRIES_MAX = 120_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])

/**
 * Why a text is too costly to parse, determined without parsing: null if it is not. Malformed JSON is left to the
 * parser. About 1 ms per MB. @param keysMax of all objects together
 */
export function excessOf(text: Uint8Array, keysMax: number): Fault | null {
  let depth = 0
  let keys = 0
  let entries = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number
    if (quoted) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    else if (byte === COMMA) entries++
    else if (byte === COLON) keys++
    else if (OPEN.has(byte)) depth++
    else if (CLOSE.has(byte)) depth--
    if (depth > DEPTH_MAX) return { reason: 'deep', n: DEPTH_MAX }
  }
  if (keys > keysMax) return { reason: 'fields', n: keysMax }
  return entries > ENTRIES_MAX ? { reason: 'more', n: ENTRIES_MAX } : null
}

/** What one request uses of a tally until its response is closed. */
type Holding = { tally: Tally; by: string; bytes: number }
declare module 'fastify' {
  interface FastifyRequest {
    holding: Holding | null
  }
}

const failure = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode })
const tooLarge = () => failure(413, 'the body is too large')

/** Doubled when full, so that a body sent byte by byte costs no more than one sent at once. */
const FIRST_BYTES = 4096

function readAll(stream: Readable, limit: number, holding: Holding): Promise<Buffer> {
  let text = Buffer.alloc(0)
  let size = 0
  return new Promise((done, fail) => {
    const stop = () => stream.off('data', read).off('end', end).off('error', cut).off('close', cut)
    const refuseWith = (error: Error) => {
      stop()
      fail(error)
    }
    const end = () => {
      stop()
      done(text.subarray(0, size))
    }
    const cut = () => refuseWith(failure(400, 'the body was cut off'))
    const read = (chunk: Buffer) => {
      const needed = size + chunk.length
      if (needed > limit) return refuseWith(tooLarge())
      if (needed > text.length) {
        const length = Math.min(limit, Math.max(FIRST_BYTES, 2 * text.length, needed))
        if (!holding.tally.take(holding.by, length - text.length))
          return refuseWith(failure(503, 'too many bodies at once'))
        holding.bytes = length
        // Unlike `allocUnsafe` never a part of a pool that a small rest would keep in memory.
        const grown = Buffer.allocUnsafeSlow(length)
        text.copy(grown, 0, 0, size)
        text = grown
      }
      chunk.copy(text, size)
      size = needed
    }
    stream.on('data', read).on('end', end).on('error', cut).on('close', cut)
  })
}

/** @throws errors for Fastify's error handler: 400, 413 or 503, or a Refusal. */
async function readJson(request: FastifyRequest, stream: Readable): Promise<string> {
  const limit = request.routeOptions.bodyLimit
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) throw tooLarge()
  if (request.holding === null) throw new Error('a body outside the tally')
  const text = await readAll(stream, announced > 0 ? announced : limit, request.holding)
  const excess = excessOf(text, request.routeOptions.config.call?.keyLimit ?? keyLimits.form)
  if (excess !== null)
    refuse(
      sessionRefusals.invalid,
      { field: 'body', reason: faultText(excess, sayIn(languageOf(request))) },
      'body',
    )
  return text.toString('utf8')
}

/** JSON is the only body that is read into memory; the limit is the route's own `bodyLimit` [bytes]. */
export function acceptJson(app: FastifyInstance): void {
  const open = openTally(heldBodies.open)
  const login = openTally(heldBodies.login)
  const parse = app.getDefaultJsonParser('error', 'error')
  app.decorateRequest('holding', null)
  app.addHook('preParsing', async (request, reply) => {
    if (!brings(request.headers)) return
    const holding = { tally: request.actor === null ? open : login, by: networkOf(request.ip), bytes: 0 }
    request.holding = holding
    const release = () => {
      holding.tally.give(holding.by, holding.bytes)
      holding.bytes = 0
    }
    // Also when it was aborted; an injecting test closes nothing.
    reply.raw.once('finish', release).once('close', release)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request, stream: Readable, done) => {
    // Clients name the type of every request, also of calls without a payload.
    if (!brings(request.headers)) return done(null, undefined)
    readJson(request, stream).then(
      (text) => (text === '' ? done(null, undefined) : parse(request, text, done)),
      done,
    )
  })
}
