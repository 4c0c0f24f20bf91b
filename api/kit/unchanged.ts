/** What may be kept of answers: nothing, but for reads whose caller asks whether his copy is still right (docs/decisions/017). */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '#schema/kit/call'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers hold what one login may see: no proxy and no disk keeps them. What is tagged says otherwise below. */
export function keepNothing(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
}

/** Of reads: those by GET, and those by POST whose caller sends a tag and so shows that it keeps answers. */
export const wantsTag = (call: Call, request: FastifyRequest): boolean =>
  call.carrier === 'json' &&
  !call.writes &&
  (call.method === 'GET' || request.headers['if-none-match'] !== undefined)

/**
 * A digest of the answer. Weak: the same whether compressed or not. `private`: it is one login's alone. `no-cache`
 * rather than `no-store`: a browser that may not keep an answer has nothing that a 304 could stand for.
 */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = `W/"${hash('sha1', text, 'base64url')}"`
  reply.header('etag', tag).header('cache-control', 'private, no-cache').header('vary', 'token')
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  return reply.type(JSON_TYPE).send(text)
}
