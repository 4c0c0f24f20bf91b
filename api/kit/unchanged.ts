/** Polls that find nothing new are answered 304 without a body (docs/decisions/017). */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '#schema/kit/call'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Of reads: those by GET, and those by POST whose caller sends a tag and so shows that it keeps answers. */
export const wantsTag = (call: Call, request: FastifyRequest): boolean =>
  call.carrier === 'json' &&
  !call.writes &&
  (call.method === 'GET' || request.headers['if-none-match'] !== undefined)

/** A digest of the answer. Weak: the same whether compressed or not. `private`: it is one login's alone. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = `W/"${hash('sha1', text, 'base64url')}"`
  reply.header('etag', tag).header('cache-control', 'private, no-cache').header('vary', 'token')
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  return reply.type(JSON_TYPE).send(text)
}
