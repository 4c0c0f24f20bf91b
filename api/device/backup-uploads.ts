/**
 * Receives configuration backups from devices. A link is signed for one backup, one device and a time, and
 * additionally requires that backup's own password; it becomes invalid when the file is stored. 201 stored, 200
 * already stored (the same file again), 401 credentials, 403 signature or expiry, 409 another file is stored, 413 too
 * large, 422 no archive, 410 given up.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '#infra/context'
import { downloadPassword, sameText, uploadSignature } from '#infra/secrets'
import { BACKUP_MAX_BYTES } from '#schema/device/backup'
import { basic, deny, type Query } from '../files.ts'
import { discardRest } from '../kit/discard-upload.ts'
import { type Taken, TooLarge, takeArchive } from '../task/package-intake.ts'
import { ArchiveError } from '../task/tar-walk.ts'
import { backupLimits } from './backup-contents.ts'

type Row = { sn: string; deviceId: number; sha256: string | null; over: boolean }
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the signature is ours, for this device, and not expired. */
function signed({ env, now }: Context, id: string, sn: string, { expires, sig }: Query): boolean {
  const at = Number(expires)
  if (!Number.isSafeInteger(at) || at < now().getTime() || typeof sig !== 'string') return false
  return sameText(sig, uploadSignature(env.JWT_SECRET, id, sn, at))
}

/**
 * Stores the file for its row, or reports that another upload was faster. The oldest beyond the limit are deleted.
 */
async function keep(
  context: Context,
  id: string,
  row: Row,
  taken: Taken,
): Promise<'kept' | 'same' | 'other'> {
  const { sql, files, parameters } = context
  const [kept] = await sql`
    update device_backups set file_key = ${taken.key}, size_bytes = ${taken.sizeBytes}, sha256 = ${taken.sha256}
    where id = ${id} and file_key is null returning id`
  if (!kept) {
    await files.remove(taken.key)
    const [there] = await sql<{ sha256: string }[]>`select sha256 from device_backups where id = ${id}`
    return there?.sha256 === taken.sha256 ? 'same' : 'other'
  }
  const old = await sql<{ fileKey: string }[]>`
    delete from device_backups where id in (
      select id from device_backups b where device_id = ${row.deviceId} and file_key is not null
        and not exists (select 1 from tasks t where t.backup_id = b.id and t.status = 'ongoing')
      order by created_at desc, id offset ${await parameters.get('backupsKept')}) returning file_key as "fileKey"`
  for (const { fileKey } of old) await files.remove(fileKey)
  return 'kept'
}

export function serveBackupUploads(app: FastifyInstance, context: Context): void {
  app.put<{ Params: { id: string }; Querystring: Query }>(
    '/files/backup/:id',
    { config: { rateLimit: false, upload: true }, compress: false },
    async (request, reply) => {
      try {
        const { id } = request.params
        if (!uuid.test(id)) return deny(reply, 404, 'no such backup')
        const [row] = await context.sql<Row[]>`
          select d.sn, b.device_id as "deviceId", b.sha256,
            (b.file_key is null and (c.ended_at is not null or b.link_expires_at < ${context.now()} or d.secret_hash is null
              or d.deleted_at is not null)) as over
          from device_backups b join devices d on d.id = b.device_id left join commands c on c.id = b.command_id
          where b.id = ${id}`
        const given = basic(request)
        // An unknown backup returns the same as a wrong password, so that ids cannot be probed.
        if (
          !row ||
          !given ||
          given.username !== row.sn ||
          !sameText(given.password, downloadPassword(context.env.JWT_SECRET, id))
        )
          return deny(
            reply.header('www-authenticate', 'Basic realm="backups"'),
            401,
            'wrong user or password',
          )
        if (!signed(context, id, row.sn, request.query))
          return deny(reply, 403, 'the link is not valid, or no longer')
        if (row.over) return deny(reply, 410, 'nobody waits for this backup any more')
        if (Number(request.headers['content-length'] ?? 0) > BACKUP_MAX_BYTES)
          return deny(reply, 413, `more than ${BACKUP_MAX_BYTES} bytes`)
        return await take(context, request, id, row).then(([status, text]) => deny(reply, status, text))
      } finally {
        discardRest(request.raw)
      }
    },
  )
}

async function take(
  context: Context,
  request: FastifyRequest,
  id: string,
  row: Row,
): Promise<[number, string]> {
  let taken: Taken
  try {
    taken = await takeArchive(context.files, request.raw, BACKUP_MAX_BYTES, backupLimits)
  } catch (error) {
    if (error instanceof TooLarge) return [413, `more than ${BACKUP_MAX_BYTES} bytes`]
    if (error instanceof ArchiveError) return [422, `not an archive to keep: ${error.fault}`]
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return [400, 'cut off']
    throw error
  }
  const outcome = await keep(context, id, row, taken)
  if (outcome === 'other') return [409, 'another file is there']
  return outcome === 'kept' ? [201, 'kept'] : [200, 'kept before']
}
