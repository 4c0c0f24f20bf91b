/** A refusal of a request whose body is still on its way: how the sender comes to read it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** As long as any input without a login lives, and more than what somebody sends by mistake. */
const LINGER_MS = 10_000
const LINGER_BYTES = 64 * 1024 * 1024
/** At once; beyond that a refused sender is cut off like before, answer or not. */
const LINGERING_MAX = 100

let lingering = 0

/** Reads and forgets; ends with the body, with the connection, or when it has been enough. */
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
  const timer = setTimeout(end, LINGER_MS).unref()
  body.on('error', () => undefined)
  // Fastify may have paused it.
  body.on('data', count).on('end', end).on('close', end).resume()
}

/** Whether a body comes at all: nobody reads the end of none, and a download may well last longer than a body. */
export const brings = ({ 'content-length': length, 'transfer-encoding': transfer }: IncomingHttpHeaders) =>
  transfer !== undefined || (length !== undefined && length !== '0')

/** `complete` is undefined where a test injects. */
export const isLate = ({ raw }: FastifyRequest): boolean =>
  brings(raw.headers) && raw.complete === false && !raw.destroyed

/**
 * [RFC 9112 §9.6] The whole answer first, then the rest of the body is read and forgotten, then the connection is
 * closed. Closed at once it would be reset by what still arrives, and the answer lost with it. Node closes when the
 * answer has ended: that is why its end waits.
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
