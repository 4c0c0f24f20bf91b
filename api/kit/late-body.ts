/** Refusing a request whose body is still being sent, so that the client can read the response. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** As long as any input without a login lasts, and sufficient for accidental bodies. */
const DISCARD_MS = 10_000
const LINGER_BYTES = 64 * 1024 * 1024
/** Maximum at the same time; beyond that a refused client is disconnected immediately, with or without a response. */
const LINGERING_MAX = 100

let lingering = 0

/** Reads and discards; ends with the body, the connection, or a limit. */
function forget(body: IncomingMessage, done: () => void): void {
  let left = LINGER_BYTES
  lingering++
  const end = () => {
    clearTimeout(timer)
    body.off('data', count).off('end', end).off('close', end)
    lingering--
    done()
  }
  const count = (chunk: Buffer) => {
    left -= chunk.length
    if (left <= 0) end()
  }
  const timer = setTimeout(end, DISCARD_MS).unref()
  body.on('error', () => undefined)
  // Fastify may have paused it.
  body.on('data', count).on('end', end).on('close', end).resume()
}

/**
 * Whether the request has a body: without one there is no end to read, and a download may last longer than a body.
 */
export const brings = ({ 'content-length': length, 'transfer-encoding': transfer }: IncomingHttpHeaders) =>
  transfer !== undefined || (length !== undefined && length !== '0')

/** `complete` is undefined in injecting tests. */
export const isLate = ({ raw }: FastifyRequest): boolean =>
  brings(raw.headers) && raw.complete === false && !raw.destroyed

/**
 * [RFC 9112 §9.6] First the whole response, then the rest of the body is read and discarded, then the connection is
 * closed. If it were closed immediately, data that still arrives would reset it, and the response would be lost. Node
 * closes when the response has ended: that is why its end waits.
 */
export function answerLate(request: FastifyRequest, reply: FastifyReply, status: number, text: string): void {
  reply.hijack()
  const body = Buffer.from(text)
  reply.raw.writeHead(status, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    connection: 'close',
  })
  reply.raw.write(body)
  if (lingering >= LINGERING_MAX) reply.raw.end()
  else forget(request.raw, () => reply.raw.end())
}
