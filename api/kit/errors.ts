/** Every way a request can fail, as one envelope. */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#infra/context'
import { sayIn } from '#infra/say'
import { REQUEST_ID_HEADER } from '#schema/kit/envelope'
import { Refusal, type RefusalKind } from '#schema/kit/refusal'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { fieldLabel } from './field-label.ts'
import { answerLate, isLate } from './late-body.ts'
import { languageOf } from './serve.ts'

/** Random, so that it can be quoted to support without revealing the request rate. */
export const makeRequestId = () => randomUUID()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * The id that the client chose, so that it can look for a request that got no response. It identifies a line of a log
 * and grants nothing; anything but a random UUID is replaced.
 */
export function requestIdOf({ headers }: IncomingMessage): string {
  const chosen = headers[REQUEST_ID_HEADER]
  return typeof chosen === 'string' && UUID.test(chosen) ? chosen : makeRequestId()
}

/** Transport faults: HTTP status and product code are the same number. */
const transport: Record<number, RefusalKind> = {
  400: transportRefusals.badJson,
  404: transportRefusals.unknownPath,
  413: transportRefusals.tooLarge,
  415: transportRefusals.wrongMediaType,
  429: transportRefusals.tooManyRequests,
  503: transportRefusals.unavailable,
}

export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  kind: RefusalKind,
  params: Readonly<Record<string, string | number>> = {},
  field?: string,
  data: unknown = null,
) {
  const language = languageOf(request)
  const { call } = request.routeOptions.config
  // The refusal uses the same label for a field as the form.
  const said =
    call && field && params['field'] === field
      ? { ...params, field: fieldLabel(call, field, language) }
      : params
  const envelope = {
    code: kind.code,
    data,
    // A message that contains the field's name itself gets no field.
    message: sayIn(language)(kind.text, said).trim(),
    ...(field ? { field } : {}),
    ...(status >= 400 ? { requestId: request.id } : {}),
  }
  reply.header('cache-control', 'no-store')
  // A file that failed before its first byte has set them.
  for (const name of ['content-disposition', 'content-encoding']) reply.removeHeader(name)
  // An upload's handler discards the rest itself.
  if (isLate(request) && (status >= 400 || !request.routeOptions.config.upload)) {
    answerLate(request, reply, status, JSON.stringify(envelope))
    return reply
  }
  return reply
    .status(status)
    .serializer(JSON.stringify)
    .type('application/json; charset=utf-8')
    .send(envelope)
}

/**
 * PostgreSQL is unavailable, silent, overloaded or read-only (a standby before its promotion: 25006), or a lock or
 * connection was not available in time, or it ended one of two transactions that waited for each other (40P01), of
 * which nothing remains: retrying is the right advice.
 */
const away =
  /^(CONNECT_TIMEOUT|CONNECTION_|ECONNREFUSED|ECONNRESET|EPIPE|57P0|57014|25P03|25006|53|55P03|40P01)/

/** From the file store, and from PostgreSQL (53100). */
const full = /^(ENOSPC|EDQUOT|53100)$/
/** What PostgreSQL 15 says to a new connection on a full disk, by the code of an internal error. */
const CACHE_NOT_WRITTEN = 'could not write init file'

export function handleErrors(app: FastifyInstance, context: Context): void {
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    if (error instanceof Refusal)
      return sendRefusal(request, reply, 200, error.kind, error.params, error.field, error.data)
    // The client left before the first byte of a stream, such as a page with live values: no fault, and nobody to tell.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed) return undefined
    const status = error.statusCode ?? 500
    const known = transport[status]
    // 503: a total limit of all requests was reached; nothing is broken.
    if ((status < 500 || status === 503) && known) return sendRefusal(request, reply, status, known)
    if (status < 500) return sendRefusal(request, reply, 400, transportRefusals.badJson)
    context.log.error({ err: error, requestId: request.id, url: request.url.split('?')[0] }, 'fault')
    // Drizzle wraps the driver's error.
    const { code, message } = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : error
    if (full.test(code ?? '') || message === CACHE_NOT_WRITTEN)
      return sendRefusal(request, reply, 507, transportRefusals.storageFull)
    if (code === 'OTHER_KEY') return sendRefusal(request, reply, 506, transportRefusals.otherKey)
    if (away.test(code ?? '')) return sendRefusal(request, reply, 503, transportRefusals.unavailable)
    return sendRefusal(request, reply, 500, transportRefusals.fault)
  })
}
