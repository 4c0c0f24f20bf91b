import { setTimeout as sleep } from 'node:timers/promises'
import { withinTime } from '#infra/deadline'
import { patience } from './patience.ts'

/** Closes what a test file opened. Files share a process, so anything left open affects all that follow. */
const open: (() => unknown)[] = []

/** Runs `close` after the file's tests, the last registered first. Unlike `afterAll` it may be called from a hook or a test. */
export const afterFile = (close: () => unknown): void => void open.push(close)

/** Well below the limit of a hook, which would not say what hangs. */
const CLOSE_MAX_MS = 60_000

/** Continues if one fails, or does not end in time. @throws the first failure. */
export async function closeAll(maxMs = CLOSE_MAX_MS): Promise<void> {
  const failures: unknown[] = []
  for (const close of open.splice(0).reverse())
    try {
      await withinTime(`closing with ${close}`, maxMs, Promise.resolve(close()))
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}

/** A child process that was told to end does so at once, unless its machine stands still. */
const LEFT_MAX_MS = 15_000

/** The servers and child processes that are open now, by kind. */
export const openNow = (): string[] =>
  process.getActiveResourcesInfo().filter((kind) => /^(TCPServer|Process)Wrap$/.test(kind))

/**
 * @param before what was open when the file began: what an earlier file left is that file's failure, not this one's.
 * @throws if a server or a child process is left, which would continue beside the next file in this process.
 */
export async function expectNothingLeft(before: readonly string[], maxMs = LEFT_MAX_MS): Promise<void> {
  for (const isOver = patience(maxMs); ; await sleep(20)) {
    const left = openNow()
    for (const kind of before) if (left.includes(kind)) left.splice(left.indexOf(kind), 1)
    if (left.length === 0) return
    if (isOver()) throw new Error(`the file left open: ${left.join(', ')}`)
  }
}
