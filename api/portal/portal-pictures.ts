/**
 * The pictures of captive portals for devices. A link is signed for one picture, one device and a time, and
 * additionally requires that device's own password. 401 credentials, 403 signature or expiry, 404 unknown, 410 the
 * device is deleted, revoked or another customer's.
 */
import type { FastifyInstance } from 'fastify'
import { batched } from '#infra/batched'
import { limitConcurrency } from '#infra/concurrency-limit'
import type { Context } from '#infra/context'
import { downloadPassword, sameText } from '#infra/secrets'
import { basic, deny, parseRange, type Query, signed } from '../files.ts'

type Picture = { id: string; customerId: number | null; mime: string; content: Buffer; sha256: string }
type Reader = { sn: string; customerId: number; gone: boolean }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** As for packages: devices that start together must not take all connections of the database. */
const LOOKUPS_AT_ONCE = 2

export function servePortalPictures(app: FastifyInstance, context: Context): void {
  const turns = limitConcurrency(LOOKUPS_AT_ONCE)
  const pictureOf = batched<Picture>(
    (ids) =>
      turns(
        () => context.sql`
      select i.id, i.customer_id as "customerId", i.mime, i.content, encode(sha256(i.content), 'hex') as sha256
      from images i where i.id = any(${ids}::uuid[]) and exists (select 1 from advertisements a where a.image_id = i.id)`,
      ),
    (row) => row.id,
  )
  const readerOf = batched<Reader>(
    (sns) =>
      turns(
        () => context.sql`
      select sn, customer_id as "customerId", deleted_at is not null or secret_hash is null as gone
      from devices where sn = any(${sns})`,
      ),
    (row) => row.sn,
  )
  app.get<{ Params: { id: string }; Querystring: Query }>(
    '/files/portal/:id',
    { config: { rateLimit: false }, compress: false, helmet: false },
    async (request, reply) => {
      const { id } = request.params
      if (!uuid.test(id)) return deny(reply, 404, 'no such picture')
      const given = basic(request)
      if (
        !given ||
        !sameText(given.password, downloadPassword(context.env.JWT_SECRET, `portal:${given.username}`))
      )
        return deny(reply.header('www-authenticate', 'Basic realm="portal"'), 401, 'wrong user or password')
      if (!signed(context, `portal:${id}`, given.username, request.query))
        return deny(reply, 403, 'the link is not valid, or no longer')
      const [picture, reader] = await Promise.all([pictureOf(id), readerOf(given.username)])
      if (!picture) return deny(reply, 404, 'no such picture')
      if (!reader || reader.gone || reader.customerId !== picture.customerId)
        return deny(reply, 410, 'not for this device any more')
      const { content, sha256, mime } = picture
      const etag = `"${sha256}"`
      const stale = request.headers['if-range'] !== undefined && request.headers['if-range'] !== etag
      const range = stale ? null : parseRange(request.headers.range, content.length)
      reply
        .header('x-content-type-options', 'nosniff')
        .header('accept-ranges', 'bytes')
        .header('etag', etag)
        .header('cache-control', 'private, no-transform')
        .type(mime)
      if (range === 'bad')
        return reply.status(416).header('content-range', `bytes */${content.length}`).send()
      if (!range) return reply.send(content)
      return reply
        .status(206)
        .header('content-range', `bytes ${range.start}-${range.end}/${content.length}`)
        .send(content.subarray(range.start, range.end + 1))
    },
  )
}
