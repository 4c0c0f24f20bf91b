/** Receives an uploaded archive in one pass: counted, hashed, checked, stored. */

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FileStore } from '#infra/files/store'
import { sayIn } from '#infra/say'
import { type Language, refuse } from '#schema/kit/refusal'
import { packageRefusals } from '#schema/task/package-refusals'
import { type ArchiveLimits, openArchiveCheck } from './archive-check.ts'
import { ArchiveError, type ArchiveFault } from './tar-walk.ts'

export type Taken = { key: string; sizeBytes: number; sha256: string; md5: string }

export function refuseArchive(fault: ArchiveFault, language: Language, field: string): never {
  if (fault === 'notTarGz') refuse(packageRefusals.packageNotTarGz, {}, field)
  if (fault === 'truncated') refuse(packageRefusals.packageTruncated, {}, field)
  refuse(packageRefusals.packageUnsafe, { reason: sayIn(language)(`package:unsafe.${fault}`) }, field)
}

/** The upload exceeds the size limit. */
export class TooLarge extends Error {}

/**
 * The file is stored under `key` when this resolves; on any error nothing is left. @throws TooLarge, ArchiveError, or
 * the error of the stream or the disk
 */
export async function takeArchive(
  files: FileStore,
  stream: Readable,
  maxBytes: number,
  limits?: ArchiveLimits,
): Promise<Taken> {
  const file = files.create()
  const archive = openArchiveCheck(limits)
  const sha256 = createHash('sha256')
  const md5 = createHash('md5')
  let sizeBytes = 0
  let broken: Error | undefined
  file.stream.on('error', (error) => {
    broken = error
  })
  const store = (chunk: Buffer) =>
    new Promise<void>((done, fail) => file.stream.write(chunk, (error) => (error ? fail(error) : done())))
  try {
    // destroyOnReturn would close the connection before the refusal is sent.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw new TooLarge()
      sha256.update(chunk)
      md5.update(chunk)
      await Promise.all([store(chunk), archive.write(chunk)])
    }
    await archive.end()
    await new Promise<void>((done, fail) => {
      if (broken) return fail(broken)
      file.stream.once('error', fail).end(done)
    })
    await file.keep()
    return { key: file.key, sizeBytes, sha256: sha256.digest('hex'), md5: md5.digest('hex') }
  } catch (error) {
    await file.drop()
    throw error
  } finally {
    archive.destroy()
  }
}

/**
 * Receives the archive that a user uploads; refusals name the field `fileName`. @throws Refusal
 * packageTooLarge, packageNotTarGz, packageUnsafe, packageTruncated
 */
export async function takeUpload(
  { files, stream, language }: { files: FileStore; stream: Readable; language: Language },
  maxBytes: number,
  limits?: ArchiveLimits,
): Promise<Taken> {
  const field = 'fileName'
  try {
    return await takeArchive(files, stream, maxBytes, limits)
  } catch (error) {
    if (error instanceof TooLarge)
      refuse(packageRefusals.packageTooLarge, { maxMb: maxBytes / 1024 / 1024 }, field)
    if (error instanceof ArchiveError) refuseArchive(error.fault, language, field)
    // The client disconnected: the refusal will not be read, but it is not a fault of ours.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET')
      refuse(packageRefusals.packageTruncated, {}, field)
    throw error
  }
}
