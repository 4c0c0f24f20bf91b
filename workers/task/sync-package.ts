/**
 * Downloads a package through every file server as a device would; only a package that arrives unchanged may
 * be offered.
 */
import { createHash } from 'node:crypto'
import { downloadSignature } from '#infra/secrets'
import { syncPackage } from '#schema/task/package'
import { processor, type WorkerContext } from '../kit/processor.ts'

const LINK_MS = 3_600_000
/** Without any data for this long the server counts as hung. */
const STALL_MS = 30_000

type Package = { id: number; sizeBytes: number; sha256: string }

/** Returns null if it is served unchanged, otherwise the reason, for people. */
async function check(ctx: WorkerContext, base: string, found: Package): Promise<string | null> {
  const expires = ctx.now().getTime() + LINK_MS
  const sig = downloadSignature(ctx.env.JWT_SECRET, `package:${found.id}`, 'service', expires)
  const abort = new AbortController()
  const stalled = setTimeout(() => abort.abort(), STALL_MS)
  try {
    const answer = await fetch(`${base}/files/package/${found.id}?expires=${expires}&sig=${sig}`, {
      signal: abort.signal,
      redirect: 'error',
    })
    if (!answer.ok || !answer.body) return `${base} answers ${answer.status}`
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of answer.body) {
      stalled.refresh()
      hash.update(chunk)
      bytes += chunk.length
    }
    if (bytes !== found.sizeBytes) return `${base} served ${bytes} of ${found.sizeBytes} bytes`
    return hash.digest('hex') === found.sha256 ? null : `${base} serves other content (SHA-256 differs)`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return `${base} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`
  } finally {
    clearTimeout(stalled)
  }
}

export const syncPackageJob = processor(syncPackage, async (ctx, { packageId }) => {
  const [found] = await ctx.sql<Package[]>`
    select id, size_bytes as "sizeBytes", sha256 from packages where id = ${packageId} and deleted_at is null`
  if (!found) return { gone: true }
  const answers = await Promise.all(
    [ctx.env.PUBLIC_URL, ...ctx.env.FILE_SERVERS].map((base) => check(ctx, base, found)),
  )
  const wrong = answers.filter((answer) => answer !== null)
  await ctx.sql`
    update packages set synced_at = ${wrong.length === 0 ? ctx.now() : null}, sync_error = ${wrong.join('; ') || null}
    where id = ${packageId}`
  // Thrown, so that the queue retries with growing pauses.
  if (wrong.length > 0) throw new Error(`package ${packageId} is not served: ${wrong.join('; ')}`)
  return { servers: answers.length }
})
