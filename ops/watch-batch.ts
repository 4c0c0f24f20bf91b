/** Watches a command to many devices to its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { commandStates } from '#schema/command/command'
import type { ReplyOf } from '#schema/kit/call'
import { endedOf, getCommandBatch, isOngoing, standsStill } from '#schema/task/command-batch'
import { ask, askUntil } from './client.ts'
import { Exit, exitCodes } from './exit.ts'
import { sayWhenInterrupted } from './interrupted.ts'
import { type Format, note, print } from './print.ts'
import { openBar } from './progress.ts'

type Batch = ReplyOf<typeof getCommandBatch>
const EVERY_MS = 1000

/** Nothing of it is under way any more, and nothing more is sent until somebody lets it go on. */
const isHeld = (batch: Batch) =>
  standsStill(batch) && endedOf(batch.counts) + batch.counts.queued === batch.counts.total

const summary = ({ counts }: Batch) =>
  commandStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${state} ${counts[state]}`)
    .join(', ')

/**
 * @throws Exit 1 when a device failed, did not come back, or was left out, or when the batch stopped itself; 4 when it is not over in time
 */
export const watchBatch = (format: Format, batchId: string, timeoutS: number): Promise<void> =>
  sayWhenInterrupted(`batch ${batchId}`, `ops batches watch ${batchId}`, () =>
    watch(format, batchId, timeoutS),
  )

async function watch(format: Format, batchId: string, timeoutS: number): Promise<void> {
  const until = Date.now() + timeoutS * 1000
  const bar = openBar(batchId.slice(0, 8))
  const look = (found: Batch) => {
    bar.show(endedOf(found.counts) / Math.max(1, found.counts.total), summary(found))
    return found
  }
  let batch = look(await ask(getCommandBatch, { batchId }))
  while (isOngoing(batch) && !isHeld(batch) && Date.now() < until) {
    await sleep(Math.min(EVERY_MS, Math.max(1, until - Date.now())))
    batch = look(await askUntil(getCommandBatch, { batchId }, until))
  }
  bar.end()
  print(format, batch, [
    { what: 'batch', value: `${batch.batchId} ${batch.name}` },
    { what: 'devices', value: summary(batch) },
    ...(batch.stopped ? [{ what: 'stopped', value: batch.stopped.reason }] : []),
    ...batch.errors.map(({ error, count }) => ({ what: `failed: ${error}`, value: count })),
    ...batch.leftOut.map(({ reason, count }) => ({ what: `left out: ${reason}`, value: count })),
  ])
  if (isHeld(batch))
    throw new Exit(exitCodes.failures, `it stopped itself (${batch.stopped?.reason}): see batches resume`)
  if (isOngoing(batch)) throw new Exit(exitCodes.timedOut, `not over within ${timeoutS} s`)
  const bad = batch.matching - batch.counts.done
  if (bad > 0) throw new Exit(exitCodes.failures, `${bad} of ${batch.matching} devices were not rebooted`)
  note(`all ${batch.counts.total} devices are back`)
}
