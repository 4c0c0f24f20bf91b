/**
 * Requests that never reach a route, because the parser or a timeout ends them. The same envelope, written directly
 * to the socket.
 */

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { sayIn } from '#infra/say'
import { pickLanguage, type RefusalKind } from '#schema/kit/refusal'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { makeRequestId } from './errors.ts'

/** `rawPacket` is a Buffer, despite Fastify's types. */
type ClientError = Error & { code?: string; rawPacket?: unknown }

/** Node's parser names every fault; these three are not malformed requests. */
const named: Readonly<Record<string, RefusalKind>> = {
  ERR_HTTP_REQUEST_TIMEOUT: transportRefusals.tooSlow,
  HPE_HEADER_OVERFLOW: transportRefusals.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: transportRefusals.tooLarge,
}

function envelope(kind: RefusalKind, offered: string | undefined): Buffer {
  const message = sayIn(pickLanguage(offered))(kind.text)
  return Buffer.from(JSON.stringify({ code: kind.code, data: null, message, requestId: makeRequestId() }))
}

const headers = (body: Buffer) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': body.length,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  connection: 'close',
})

/** Sends the envelope and closes. A response that has begun is not continued by another one. */
export function closeWithEnvelope(socket: Socket, kind: RefusalKind, offered?: string): void {
  const begun = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent
  if (socket.writable && !begun) {
    const body = envelope(kind, offered)
    const lines = Object.entries(headers(body)).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${kind.code} ${STATUS_CODES[kind.code]}\r\n${lines.join('')}\r\n`)
    socket.write(body)
  }
  socket.destroySoon()
}

/** For Fastify's `clientErrorHandler`. */
export function refuseUnparsed(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const seen = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : ''
  const offered = /^accept-language:([^\r\n]{0,200})/im.exec(seen)?.[1]
  closeWithEnvelope(socket, named[error.code ?? ''] ?? transportRefusals.badJson, offered)
}

/** Handles the responses that Node would otherwise write itself. */
export function handleUnserved(app: FastifyInstance): void {
  app.server.on('connect', (request: IncomingMessage, socket: Socket) =>
    closeWithEnvelope(socket, transportRefusals.unknownPath, request.headers['accept-language']),
  )
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const body = envelope(transportRefusals.expectation, request.headers['accept-language'])
    response.writeHead(transportRefusals.expectation.code, headers(body)).end(body)
  })
}
