/**
 * Keeps the platform's knowledge of configurations up to date: reads those that changed, answers trials, and takes over
 * how changes ended. Everything is found in the rows, so a lost message or a crash only costs time.
 *
 * Rows that are locked are left for the next run, in two seconds: reports of devices lock many of them, in their own order, and
 * of two transactions that wait for each other PostgreSQL aborts one.
 */
import { randomUUID } from 'node:crypto'
import { command } from '#schema/command/command'
import { readConfig, revertConfig } from '#schema/config/commands/config'
import { driveConfigs } from '#schema/config/drive-configs'
import type { Outgoing } from '../inbox/batch-state.ts'
import { processor, type WorkerContext } from '../kit/processor.ts'
import { publishAll } from '../task/publish-all.ts'
import { confirmation } from './hello-config.ts'
import { rereadConfigs } from './reread-configs.ts'
import { settleConfigs } from './settle-configs.ts'

/** A device that says nothing is asked again after this time. */
const ASK_AGAIN_MS = 60_000
const ANSWER_AGAIN_MS = 10_000
const ANSWER_WITHIN_MS = 60_000
/** Devices asked in one run: after an upgrade of the platform all of them have to be read. */
const ASKED_AT_ONCE = 400

/** It was read meanwhile, or the device runs again what was read before. */
const noteRead = ({ sql }: WorkerContext) => sql`
  update device_configs set unread_since = null where device_id in (
    select device_id from device_configs where unread_since is not null and (level is null or document_hash = running_hash)
    for no key update skip locked)`

type Unread = { sn: string; packages: Record<string, string> }

const takeUnread = (ctx: WorkerContext, now: Date) => ctx.sql<Unread[]>`
  update device_configs c set asked_at = ${now}, unread_since = coalesce(c.unread_since, ${now})
  from (select c.device_id, d.sn from device_configs c join devices d on d.id = c.device_id join device_states s on s.device_id = d.id
    where c.level is not null and c.document_hash is distinct from c.running_hash and s.online
      and (c.asked_at is null or c.asked_at < ${new Date(now.getTime() - ASK_AGAIN_MS)})
    limit ${ASKED_AT_ONCE} for no key update of c skip locked) as found
  where c.device_id = found.device_id
  returning found.sn, case when c.document is null then '{}' else c.packages end as packages`

type OnTrial = { sn: string; revision: number; keeps: boolean }

/**
 * Kept: the change in progress, or one that was confirmed. Any other belongs to a task that was abandoned meanwhile,
 * and is rolled back.
 */
const takePending = (ctx: WorkerContext, now: Date) => ctx.sql<OnTrial[]>`
  update device_configs c set answered_at = ${now}
  from (select c.device_id, d.sn from device_configs c join devices d on d.id = c.device_id join device_states s on s.device_id = d.id
    where c.pending_revision is not null and s.online
      and (c.answered_at is null or c.answered_at < ${new Date(now.getTime() - ANSWER_AGAIN_MS)})
    for no key update of c skip locked) as found
  where c.device_id = found.device_id
  returning found.sn, c.pending_revision as revision, c.pending_revision = c.revision
    and ((c.item_id is not null and c.running_hash = c.next_hash) or (c.item_id is null and c.ended = 'confirmed')) as keeps`

const order = (sn: string, name: string, args: Record<string, unknown>, atMs: number): Outgoing => ({
  sn,
  message: command,
  payload: { id: randomUUID(), name, args, deadlineAt: atMs + ANSWER_WITHIN_MS },
})

export const driveConfigsJob = processor(driveConfigs, async (ctx) => {
  const now = ctx.now()
  const settled = await settleConfigs(ctx)
  if (!ctx.line.connected()) return { settled, read: 0, answered: 0 }
  await rereadConfigs(ctx)
  await noteRead(ctx)
  const pending = await takePending(ctx, now)
  const unread = await takeUnread(ctx, now)
  await publishAll(ctx, [
    ...pending.map(({ sn, revision, keeps }) =>
      keeps
        ? confirmation(sn, revision, now.getTime())
        : order(sn, revertConfig.name, { revision }, now.getTime()),
    ),
    ...unread.map(({ sn, packages }) => order(sn, readConfig.name, { known: packages }, now.getTime())),
  ])
  return { settled, read: unread.length, answered: pending.length }
})
