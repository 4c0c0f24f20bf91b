/**
 * Caching of responses: none, except for reads whose client asks whether its copy is still valid
 * (docs/decisions/017).
 */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '#schema/kit/call'

export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Responses contain what one login may see: no proxy and no disk may store them. Tagged responses override this
 * below.
 */
export function disableCaching(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
}

/** Reads by GET, and reads by POST whose client sends a tag and so shows that it caches responses. */
export const wantsTag = (call: Call, request: FastifyRequest): boolean =>
  call.carrier === 'json' &&
  !call.writes &&
  (call.method === 'GET' || request.headers['if-none-match'] !== undefined)

/**
 * A digest of the response. Weak: the same whether compressed or not. `private`: for one login only. `no-cache`
 * instead of `no-store`: with the latter a browser would have no copy that a 304 could refer to.
 */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = `W/"${hash('sha1', text, 'base64url')}"`
  reply.header('etag', tag).header('cache-control', 'private, no-cache').header('vary', 'token')
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  return reply.type(JSON_TYPE).send(text)
}
