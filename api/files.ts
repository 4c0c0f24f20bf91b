/**
 * Downloads of the files that tasks send. A link is signed for one task item, one device and a time, and additionally requires that item's
 * own password; it becomes invalid when the item ends. 401 credentials, 403 signature or expiry, 404 unknown, 410
 * item ended.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { batched } from '#infra/batched'
import { limitConcurrency } from '#infra/concurrency-limit'
import type { Context } from '#infra/context'
import { downloadPassword, downloadSignature, sameText } from '#infra/secrets'
import { type FileBlocks, openFileBlocks } from './kit/file-blocks.ts'

type Found = { fileKey: string; sizeBytes: number; sha256: string }
export type Query = { expires?: string; sig?: string }

export const deny = (reply: FastifyReply, status: number, why: string) =>
  reply.status(status).type('text/plain; charset=utf-8').send(`${why}\n`)

export function basic(request: FastifyRequest): { username: string; password: string } | null {
  const [scheme, encoded] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'basic' || !encoded) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? null : { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Whether the signature is ours and not expired. */
export function signed(context: Context, subject: string, sn: string, { expires, sig }: Query): boolean {
  const at = Number(expires)
  if (!Number.isSafeInteger(at) || at < context.now().getTime() || typeof sig !== 'string') return false
  return sameText(sig, downloadSignature(context.env.JWT_SECRET, subject, sn, at))
}

/** `bytes=a-b`, a single range; null: the whole file; 'bad': cannot be satisfied. */
export function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | null | 'bad' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return start > end || start >= size ? 'bad' : { start, end }
}

async function send(blocks: FileBlocks, request: FastifyRequest, reply: FastifyReply, found: Found) {
  const size = await blocks.size(found.fileKey)
  if (size === null) return deny(reply, 404, 'the file is gone')
  const etag = `"${found.sha256}"`
  const stale = request.headers['if-range'] !== undefined && request.headers['if-range'] !== etag
  const range = stale ? null : parseRange(request.headers.range, size)
  reply
    .header('x-content-type-options', 'nosniff')
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
    .header('cache-control', 'private, no-transform')
    .type('application/gzip')
  if (range === 'bad') return reply.status(416).header('content-range', `bytes */${size}`).send()
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) reply.status(206).header('content-range', `bytes ${start}-${end}/${size}`)
  const content = await blocks.read(found.fileKey, { start, end })
  return reply
    .header('content-length', end - start + 1)
    .send(Buffer.isBuffer(content) ? content : Readable.from(content, { objectMode: false }))
}

/** Limit of database connections, which users' calls share: devices that start together must not take them all. */
const LOOKUPS_AT_ONCE = 2

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function serveFiles(app: FastifyInstance, context: Context): void {
  const blocks = openFileBlocks(context.files)
  const turns = limitConcurrency(LOOKUPS_AT_ONCE)
  const itemOf = batched<Found & { id: string; sn: string; ended: boolean }>(
    (items) =>
      turns(
        () => context.sql`
      select i.id, d.sn, coalesce(p.file_key, c.file_key, b.file_key) as "fileKey",
        coalesce(p.size_bytes, c.size_bytes, b.size_bytes) as "sizeBytes", coalesce(p.sha256, c.sha256, b.sha256) as sha256,
        (i.outcome is not null or i.superseded or i.sending = 'withdrawing' or d.deleted_at is not null or d.secret_hash is null) as ended
      from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
        left join packages p on p.id = t.package_id left join config_files c on c.id = t.config_file_id
        left join device_backups b on b.id = t.backup_id
      where i.id = any(${items}::uuid[]) and coalesce(p.file_key, c.file_key, b.file_key) is not null`,
      ),
    (row) => row.id,
  )
  // Without security headers: browsers do not render these responses, devices ignore such headers, and creating them
  // took a third of the time.
  const options = { config: { rateLimit: false as const }, compress: false as const, helmet: false as const }
  app.get<{ Params: { item: string }; Querystring: Query }>(
    '/files/:item',
    options,
    async (request, reply) => {
      const { item } = request.params
      if (!uuid.test(item)) return deny(reply, 404, 'no such file')
      const row = await itemOf(item)
      const given = basic(request)
      // An unknown item returns the same as a wrong password, so that item ids cannot be probed.
      if (
        !row ||
        !given ||
        given.username !== row.sn ||
        !sameText(given.password, downloadPassword(context.env.JWT_SECRET, item))
      )
        return deny(reply.header('www-authenticate', 'Basic realm="packages"'), 401, 'wrong user or password')
      if (!signed(context, item, row.sn, request.query))
        return deny(reply, 403, 'the link is not valid, or no longer')
      if (row.ended) return deny(reply, 410, 'this task item has ended')
      return send(blocks, request, reply, row)
    },
  )

  // The platform checks that every file server really serves the package (job syncPackage).
  app.get<{ Params: { id: string }; Querystring: Query }>(
    '/files/package/:id',
    options,
    async (request, reply) => {
      const id = Number(request.params.id)
      if (!signed(context, `package:${id}`, 'service', request.query))
        return deny(reply, 403, 'the link is not valid, or no longer')
      const [row] = await context.sql<Found[]>`
      select file_key as "fileKey", size_bytes as "sizeBytes", sha256 from packages where id = ${id} and deleted_at is null`
      return row ? send(blocks, request, reply, row) : deny(reply, 404, 'no such package')
    },
  )
}
