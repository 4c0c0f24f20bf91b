import type { ParameterKey } from '#schema/parameter-list'
import { trimHistory } from '#schema/upkeep'
import { processor, type WorkerContext } from '../processor.ts'

const DAY_MS = 86_400_000
/** Rows per statement: nobody waits long for their locks. */
const BATCH = 5_000

type Rule = {
  table: string
  key: string
  /** Of `${at}`: which rows may go once they are old. */
  at: string
  also?: string
  days: ParameterKey | number
}

/** Names are ours, never input. */
const rules: readonly Rule[] = [
  { table: 'presence_records', key: 'connection_id', at: 'offline_at', days: 'presenceDays' },
  { table: 'task_events', key: 'id', at: 'at', days: 'taskEventDays' },
  { table: 'device_warnings', key: 'id', at: 'at', days: 'warningDays' },
  {
    table: 'mails',
    key: 'id',
    at: 'created_at',
    also: `(kept or state in ('sent', 'failed'))`,
    days: 'mailDays',
  },
  { table: 'operations', key: 'id', at: 'at', days: 'operationDays' },
  { table: 'logins', key: 'id', at: 'at', days: 'loginDays' },
  // The history tells from them when a login ended.
  { table: 'sessions', key: 'id', at: 'expires_at', days: 'loginDays' },
  { table: 'email_bindings', key: 'id', at: 'expires_at', days: 1 },
  {
    table: 'login_attempts',
    key: 'key',
    at: 'first_at',
    also: '(blocked_until is null or blocked_until < now())',
    days: 1,
  },
]

async function trim(ctx: WorkerContext, rule: Rule): Promise<number> {
  const { table, key, at, also = 'true' } = rule
  const days = typeof rule.days === 'number' ? rule.days : await ctx.parameters.get(rule.days)
  const before = new Date(ctx.now().getTime() - days * DAY_MS)
  for (let gone = 0; ; ) {
    const rows = await ctx.sql.begin(async (tx) => {
      // The logs' triggers let only this pass.
      await tx`set local iot.upkeep = 'on'`
      return tx`
        delete from ${tx(table)} where ${tx(key)} in (
          select ${tx(key)} from ${tx(table)} where ${tx(at)} < ${before} and ${tx.unsafe(also)} limit ${BATCH})
        returning 1`
    })
    gone += rows.length
    if (rows.length < BATCH) return gone
  }
}

export const trimHistoryJob = processor(trimHistory, async (ctx) => {
  const gone: Record<string, number> = {}
  for (const rule of rules) gone[rule.table] = await trim(ctx, rule)
  return gone
})
