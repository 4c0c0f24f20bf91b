/**
 * Calls about files of a device. They are handled by the process that holds the tunnel, and only reach the tunnel's
 * target.
 */
import type { Readable } from 'node:stream'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import {
  deleteFile,
  downloadFile,
  FILE_MAX_BYTES,
  FOLDER_MAX,
  getFiles,
  openFiles,
  uploadFile,
} from '#schema/remote/remote-file'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { rowOf } from '../kit/about.ts'
import { type CallContext, downloadHandler, handler } from '../kit/handler.ts'
import type { DeviceFiles } from './device-file.ts'
import { openDeviceFiles } from './device-files.ts'
import { storedRemoteSession } from './remote-object.ts'
import { ownerOf } from './shell.ts'
import { ShellFault } from './shell-fault.ts'
import { heldTunnel, type Tunnel } from './tunnels.ts'
import { begun, upTo } from './up-to.ts'

const SAID_MAX = 200

function tunnelOf(ctx: CallContext): Tunnel {
  const session = rowOf(ctx, storedRemoteSession)
  if (session.userId !== ctx.actor.userId) refuse(remoteRefusals.remoteOthers)
  if (session.endedAt !== null) refuse(remoteRefusals.remoteEnded)
  const tunnel = heldTunnel(session.id)
  if (!tunnel || session.kind !== 'terminal') refuse(remoteRefusals.remoteNotReady)
  return tunnel
}

/** As with shells: an API token, which may be in other hands, uses only a login that it made itself. */
const ownerIn = ({ actor }: CallContext) => ownerOf({ tokenId: actor.apiToken?.id ?? null })

const filesOf = (ctx: CallContext): DeviceFiles =>
  tunnelOf(ctx).files.get(ownerIn(ctx)) ?? refuse(remoteRefusals.filesClosed)

/** The device's error message: untrusted text, truncated for display. */
const refuseFailed = (error: unknown): never =>
  refuse(remoteRefusals.fileFailed, {
    detail: (error as Error).message.replace(/\p{Cc}/gu, ' ').slice(0, SAID_MAX),
  })

function refuseLarge(sizeBytes: number): void {
  if (sizeBytes > FILE_MAX_BYTES) refuse(remoteRefusals.fileTooLarge, { most: FILE_MAX_BYTES / 1_000_000 })
}

export const openFilesHandler = handler(openFiles, async (ctx, { username, password }) => {
  const tunnel = tunnelOf(ctx)
  const owner = ownerIn(ctx)
  let opened: DeviceFiles | null = null
  // What is asked of a connection that has ended is never answered: its user logs in again.
  const over = () => {
    if (opened !== null && tunnel.files.get(owner) === opened) tunnel.files.delete(owner)
  }
  try {
    opened = await openDeviceFiles(tunnel, { username, password }, over)
    tunnel.files.get(owner)?.close()
    tunnel.files.set(owner, opened)
    return { by: opened.by }
  } catch (error) {
    if (error instanceof ShellFault && error.why === 'password')
      refuse(remoteRefusals.fileLogin, {}, 'password')
    return refuseFailed(error)
  }
})

export const getFilesHandler = handler(getFiles, async (ctx, { path }) => {
  const found = await filesOf(ctx).list(path).catch(refuseFailed)
  const rank = (type: string) => (type === 'folder' ? 0 : 1)
  const entries = found
    .map((entry) => ({ ...entry, name: entry.name.toWellFormed().replace(/\p{Cc}/gu, '\ufffd') }))
    .sort((a, b) => rank(a.type) - rank(b.type) || (a.name < b.name ? -1 : 1))
  return { entries: entries.slice(0, FOLDER_MAX), complete: entries.length <= FOLDER_MAX }
})

export const downloadFileHandler = downloadHandler(downloadFile, async (ctx, { path, from }) => {
  const files = filesOf(ctx)
  const size = await files.size(path).catch(refuseFailed)
  if (size === null) refuse(remoteRefusals.fileFailed, { detail: 'no such file' })
  refuseLarge(size - from)
  return {
    fileName: path.slice(path.lastIndexOf('/') + 1),
    mime: 'application/octet-stream',
    // Whatever size it says to have.
    stream: await begun(upTo(files.read(path, from), FILE_MAX_BYTES)).catch(refuseFailed),
  }
})

/** The uploaded data, up to the announced size. @throws Refusal when there is more */
async function* bounded(stream: Readable, most: number): AsyncGenerator<Buffer> {
  let taken = 0
  // destroyOnReturn would close the connection before the refusal is sent.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    taken += chunk.length
    if (taken > most) refuse(remoteRefusals.fileFailed, { detail: 'more than announced' })
    yield chunk
  }
}

type Upload = { stream: Readable; ended: Promise<unknown> }
/** The uploads that are running, by the path of the file that they write. */
const uploads = new WeakMap<Tunnel, Map<string, Upload>>()

/**
 * Two uploads of one file would be mixed in its `.part`: the later one breaks the earlier one off, whose browser may long be gone
 * without a word.
 */
async function alone<T>(ctx: CallContext, path: string, work: () => Promise<T>): Promise<T> {
  const tunnel = tunnelOf(ctx)
  const running = uploads.get(tunnel) ?? new Map<string, Upload>()
  uploads.set(tunnel, running)
  const earlier = running.get(path)
  earlier?.stream.destroy(new Error('another upload of it has begun'))
  const worked = (earlier?.ended ?? Promise.resolve()).then(work)
  const own = { stream: ctx.stream, ended: worked.catch(() => undefined) }
  running.set(path, own)
  try {
    return await worked
  } finally {
    if (running.get(path) === own) running.delete(path)
  }
}

async function store(ctx: CallContext, { path, from, sizeBytes }: ParsedBodyOf<typeof uploadFile>) {
  const files = filesOf(ctx)
  const part = `${path}.part`
  const held = from === 0 ? 0 : await files.size(part).catch(refuseFailed)
  if (held !== from || from > sizeBytes)
    refuse(remoteRefusals.fileFailed, { detail: `the device has ${held ?? 0} bytes of it` })
  try {
    await files.write(part, from, bounded(ctx.stream, sizeBytes - from), sizeBytes - from)
    const written = await files.size(part)
    if (written !== sizeBytes) throw new Error(`the device has ${written ?? 0} of ${sizeBytes} bytes`)
    await files.rename(part, path)
  } catch (error) {
    return refuseFailed(error)
  }
  return { sizeBytes }
}

export const uploadFileHandler = handler(uploadFile, async (ctx, body) => {
  filesOf(ctx)
  refuseLarge(body.sizeBytes)
  return alone(ctx, body.path, () => store(ctx, body))
})

export const deleteFileHandler = handler(deleteFile, async (ctx, { path }) => {
  await filesOf(ctx).remove(path).catch(refuseFailed)
  return null
})
