/**
 * From an offer to a verified file: size, both hashes, then the device's own checks [docs/protocol.md: Verification].
 */
import { constants, gunzipSync } from 'node:zlib'
import type { z } from 'zod'
import { type PublicKey, readPublicKey, readSignature, signerOf } from '#infra/ed25519'
import type { TaskFailure } from '#schema/kit/task-kind'
import { signedText } from '#schema/task/signed-package'
import type { offer } from '#schema/task/task'
import { type Cause, type Downloaded, download, type Partial } from './download.ts'
import { DownloadFailed } from './outcome.ts'
import type { Part } from './world.ts'

export type Offer = z.output<typeof offer.payload>

export type Fetching = {
  part: Part
  offer: Offer
  /** The simulated failure, if any. */
  fault: TaskFailure | null
  signal: AbortSignal
  partial: Partial | null
  onAborted(partial: Partial): void
  onConnected(): void
  onPercent(percent: number): void
  /** It cannot continue for now, and retries. */
  onHeldUp(cause: Cause): void
  /** The file is complete, but not verified yet. */
  onFetched(): void
}

const HEAD_BYTES = 4096
const CONNECT_MS = 15_000
const STALL_MS = 30_000
const OFFLINE_MS = 300_000
/** Regardless of the speed: a busy machine must not look like a broken network. */
const AT_LEAST_MS = 2_000

/**
 * Resolves with the kept bytes: the head of a package, or a whole configuration file. @throws DownloadFailed with the
 * kind of failure, or the signal's reason.
 */
export async function fetchPackage(fetching: Fetching): Promise<Buffer> {
  const { part, offer, fault, signal } = fetching
  const { wheel, speed } = part.world
  if (offer.type !== 'config' && offer.model !== part.identity.model.name)
    throw new DownloadFailed(
      'packageVerifyFailed',
      `made for ${offer.model}, this is ${part.identity.model.name}`,
    )
  await meetBeforeContact(fetching)
  const got = await get(fetching)
  fetching.onFetched()
  await wheel.sleep(1000 / speed, signal)
  if (fault === 'unknownError') throw new DownloadFailed('unknownError', 'simulated')
  const differs = differing(got, offer)
  if (fault === 'md5Failed' || differs !== null) throw new DownloadFailed('md5Failed', differs ?? 'simulated')
  checkTrusted(part.world.trusted, offer)
  if (fault === 'packageVerifyFailed' || !isGzip(got.head))
    throw new DownloadFailed('packageVerifyFailed', 'not a readable .tar.gz')
  return got.head
}

/** The failure is named after MD5 whichever checksum is wrong: its detail says which. null: both are right. */
export function differing(
  got: Pick<Downloaded, 'sha256' | 'md5'>,
  offered: Pick<Offer, 'sha256' | 'md5'>,
): string | null {
  const wrong = got.sha256 === offered.sha256 ? (got.md5 === offered.md5 ? null : 'md5') : 'sha256'
  if (wrong === null) return null
  const name = { sha256: 'SHA-256', md5: 'MD5' }[wrong]
  return `${name} ${got[wrong].slice(0, 12)}…, offered ${offered[wrong].slice(0, 12)}…`
}

/** Starts with a gzip header [RFC 1952 2.3] and can be inflated. */
export function isGzip(head: Buffer): boolean {
  if (head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8) return false
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).length > 0
  } catch {
    return false
  }
}

async function meetBeforeContact({ part, fault, signal }: Fetching): Promise<void> {
  const { wheel, speed } = part.world
  if (fault === 'deviceOffline') {
    part.goOffline(OFFLINE_MS / speed)
    await part.network()
    throw new DownloadFailed(fault, 'the network was lost')
  }
  if (fault !== 'connectTimeout' && fault !== 'domainError' && fault !== 'remoteConnectFailed') return
  await wheel.sleep((fault === 'connectTimeout' ? CONNECT_MS : 1000) / speed, signal)
  throw new DownloadFailed(fault, 'simulated')
}

async function get({
  part,
  offer,
  fault,
  signal,
  partial,
  onAborted,
  onConnected,
  onPercent,
  onHeldUp,
}: Fetching): Promise<Downloaded> {
  const { wheel, speed, downloadDelayMs, retryPauseMs } = part.world
  const silence = new AbortController()
  let reported = 0
  let reportedAtMs = 0
  try {
    const got = await download({
      partial,
      onAborted,
      url: fault === 'fileNotFound' ? elsewhere(offer.url) : offer.url,
      username: offer.username,
      password: fault === 'wrongCredentials' ? `not-${offer.password}` : offer.password,
      sizeBytes: offer.sizeBytes,
      keptBytes: offer.type === 'config' ? offer.sizeBytes : HEAD_BYTES,
      wheel,
      signal: AbortSignal.any([signal, silence.signal]),
      connectMs: Math.max(AT_LEAST_MS, CONNECT_MS / speed),
      stallMs: Math.max(AT_LEAST_MS, STALL_MS / speed),
      retryPauseMs,
      until: offer.expiresAt,
      now: () => part.now(),
      chance: () => part.dice.roll(),
      onHeldUp,
      paceMs: downloadDelayMs * part.dice.between(0.7, 1.3),
      network: () => part.network(),
      lost: () => part.lost(),
      onConnected,
      onBytes: (done) => {
        // With decimals: on a slow link each change counts as progress and keeps the item alive.
        const percent = Math.floor((done / offer.sizeBytes) * 1000) / 10
        if (fault === 'downloadTimeout' && percent >= 40) return silence.abort()
        if (percent < reported + 5 && performance.now() < reportedAtMs + 5000) return
        reported = percent
        reportedAtMs = performance.now()
        onPercent(percent)
      },
    })
    silence.signal.throwIfAborted()
    if (fault !== 'wrongCredentials' && fault !== 'fileNotFound') return got
    throw new DownloadFailed(fault, 'simulated')
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) {
      await wheel.sleep(STALL_MS / speed, signal)
      throw new DownloadFailed('downloadTimeout', 'no data')
    }
    const provoked = fault === 'wrongCredentials' || fault === 'fileNotFound'
    throw provoked && error instanceof DownloadFailed ? new DownloadFailed(fault, error.message) : error
  }
}

/** The URL of a file that the server does not have. */
function elsewhere(url: string): string {
  const other = new URL(url)
  other.pathname = other.pathname.replace(/[^/]*$/, '00000000-0000-4000-8000-000000000000')
  return other.href
}

/** The keys that a device trusts, installed by its owner. @throws for a text that is not a key */
export const trustedKeys = (texts: readonly string[]): readonly PublicKey[] =>
  texts.map((text) => readPublicKey(text) ?? fail(text))
const fail = (text: string): never => {
  throw new Error(`no Ed25519 key: ${text.slice(0, 20)}`)
}

/**
 * If there are keys, only packages signed by one of them are installed. Configuration files have no signature: they
 * belong to the owner and come from the platform. @throws DownloadFailed
 */
function checkTrusted(keys: readonly PublicKey[], offer: Offer): void {
  if (keys.length === 0 || offer.type === 'config') return
  const signature = offer.signature === undefined ? null : readSignature(offer.signature)
  if (!signature) throw new DownloadFailed('packageVerifyFailed', 'it is not signed')
  const { sha256, sizeBytes, type, model = '', version = '', name } = offer
  const text = signedText({ sha256, sizeBytes, type, model, version, name })
  if (!signerOf(keys, text, signature))
    throw new DownloadFailed('packageVerifyFailed', 'it is not signed by a key that this device trusts')
}
