/** Recordings of terminals: list, download, delete. */
import { Transform } from 'node:stream'
import { eq } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { deleteRecording, downloadRecording, getRecording, getRecordingList } from '#schema/remote/recording'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { devices } from '#schema/tables/device'
import { terminalRecordings } from '#schema/tables/terminal-recording'
import { users } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import type { Actor } from '../kit/actor.ts'
import { type CallContext, downloadHandler, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { storedRecording } from './recording-object.ts'

const columns = (actor: Actor) => ({
  recordingId: terminalRecordings.id,
  sessionId: terminalRecordings.sessionId,
  deviceId: terminalRecordings.deviceId,
  deviceSn: devices.sn,
  deviceName: devices.name,
  createdBy: knownName(actor, users, terminalRecordings.userId),
  account: terminalRecordings.account,
  state: terminalRecordings.state,
  startedAt: terminalRecordings.startedAt,
  durationMs: terminalRecordings.durationMs,
  sizeBytes: terminalRecordings.sizeBytes,
})

const rows = ({ db, actor }: CallContext) =>
  db
    .select(columns(actor))
    .from(terminalRecordings)
    .innerJoin(devices, eq(devices.id, terminalRecordings.deviceId))
    .leftJoin(users, eq(users.id, terminalRecordings.userId))

export const getRecordingListHandler = listOf(getRecordingList, storedRecording, (ctx) => ({
  table: terminalRecordings,
  rows: rows(ctx),
  countJoined: true,
}))

export const getRecordingHandler = handler(getRecording, async (ctx) => {
  const [found] = await rows(ctx).where(eq(terminalRecordings.id, rowOf(ctx, storedRecording).id))
  if (!found) throw new Error('the recording is gone')
  return found
})

/** The last line may be incomplete: the recording is still running, or its process was killed. */
function wholeLines(): Transform {
  let rest: Buffer = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const end = all.lastIndexOf(0x0a) + 1
      rest = all.subarray(end)
      done(null, end > 0 ? all.subarray(0, end) : undefined)
    },
  })
}

export const downloadRecordingHandler = downloadHandler(downloadRecording, async (ctx) => {
  const { sn, startedAt, fileKey } = rowOf(ctx, storedRecording)
  if ((await ctx.files.size(fileKey)) === null) refuse(remoteRefusals.recordingMissing)
  const at = startedAt.toISOString().slice(0, 19).replaceAll(':', '')
  const stored = ctx.files.read(fileKey)
  const stream = wholeLines()
  stored.on('error', (error) => stream.destroy(error))
  stream.on('close', () => stored.destroy())
  return { fileName: `${sn}-${at}.cast`, mime: 'application/x-asciicast', stream: stored.pipe(stream) }
})

export const deleteRecordingHandler = handler(deleteRecording, async (ctx) => {
  const { id, fileKey, endedAt } = rowOf(ctx, storedRecording)
  if (endedAt === null) refuse(remoteRefusals.recordingOpen)
  await ctx.db.delete(terminalRecordings).where(eq(terminalRecordings.id, id))
  await ctx.files.remove(fileKey)
  return null
})
