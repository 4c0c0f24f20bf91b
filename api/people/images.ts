/** Logos and avatars for <img>, which cannot send a header: the token's cookie authorizes them (decision 019). */

import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '#infra/context'
import { Refusal } from '#schema/kit/refusal'
import { IMAGE_PATH } from '#schema/people/image'
import { images } from '#schema/tables/customer'
import { panels } from '#schema/tables/panel'
import { type Actor, resolveActor } from '../kit/actor.ts'
import { visible } from '../kit/scope.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The header as everywhere, else the cookie: with SameSite=Strict, and read only here, it can do no harm elsewhere.
 */
function tokenOf(request: FastifyRequest): string | undefined {
  const { token, cookie = '' } = request.headers
  if (typeof token === 'string') return token
  const found = cookie.split('; ').find((part) => part.startsWith('token='))
  try {
    return found && decodeURIComponent(found.slice('token='.length))
  } catch {
    // Not our cookie: no token.
    return undefined
  }
}

/** A link to a panel shows the pictures of that panel; other links none. */
const ofLink = ({ kiosk }: Actor): SQL | undefined =>
  kiosk &&
  sql`exists (select 1 from ${panels} where ${panels.id} = ${kiosk.panel?.id ?? 0} and ${panels.imageIds} @> array[${images.id}])`

export function serveImages(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { id: string } }>(`${IMAGE_PATH}:id`, { compress: false }, async (request, reply) => {
    const { id } = request.params
    const missing = () =>
      reply.status(404).header('cache-control', 'no-store').type('text/plain').send('no such image\n')
    if (!uuid.test(id)) return missing()
    const actor = await resolveActor(context, app.jwt, tokenOf(request)).catch((error: unknown) => {
      if (error instanceof Refusal) return null
      throw error
    })
    const [row] = actor
      ? await context.db
          .select({ mime: images.mime, content: images.content })
          .from(images)
          .where(and(visible(actor).images, eq(images.id, id), ofLink(actor)))
      : []
    // The same response whether the image is another's or there is no login.
    if (!row) return missing()
    const etag = `"${id}"`
    // An id is never reused for another picture. `private`: no proxy may serve it to another user.
    reply
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('etag', etag)
      .header('vary', 'cookie, token')
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    return reply.type(row.mime).header('content-disposition', 'inline').send(row.content)
  })
}
