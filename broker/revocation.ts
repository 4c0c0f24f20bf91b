/**
 * Disconnects devices whose credentials end while they are connected: notified by NOTIFY, and polled every 5
 * s in case that was lost.
 */
import type { Context } from '#infra/context'
import { type CutReason, cutReasons } from '#schema/device/presence'
import type { Fleet } from './fleet.ts'
import type { SessionStore } from './sessions.ts'

const CHECK_MS = 5_000
/** By then a login that read the old row just before the change has been registered. */
const AGAIN_MS = 500

type Row = { id: number; secret_hash: string | null; customer_id: number; deleted: boolean }

/** "deleted 12,13"; without a keyword the secret has changed. */
function noticeOf(payload: string): { ids: Set<number>; why: CutReason } {
  const [list = '', word = 'revoked'] = payload.split(' ').toReversed()
  return {
    ids: new Set(list.split(',').map(Number)),
    why: cutReasons.find((known) => known === word) ?? 'revoked',
  }
}

export async function startRevocation(
  context: Pick<Context, 'sql' | 'log'>,
  fleet: Fleet,
  sessions: SessionStore,
) {
  const { sql, log } = context
  let checking = false

  async function check(only?: ReadonlySet<number>): Promise<void> {
    const guards = fleet.devices().filter((guard) => only === undefined || only.has(guard.peer.deviceId))
    if (guards.length === 0) return
    const ids = [...new Set(guards.map((guard) => guard.peer.deviceId))]
    try {
      const rows = await sql<Row[]>`
        select id, secret_hash, customer_id, deleted_at is not null as deleted from devices where id = any(${ids}::int[])`
      const byId = new Map(rows.map((row) => [row.id, row]))
      for (const guard of guards) {
        const row = byId.get(guard.peer.deviceId)
        const deleted = row?.deleted ?? true
        const moved = !deleted && row?.customer_id !== guard.peer.customerId
        if (deleted || moved) guard.cut(deleted ? 'deleted' : 'moved')
        else if (row?.secret_hash !== guard.peer.secretHash) guard.cut('revoked')
        // The stored session belongs to the customer that the device has left.
        if (deleted || moved) sessions.forget(guard.peer.sn)
      }
    } catch (error) {
      log.warn({ err: error }, 'credentials not checked')
    }
  }

  function cutNotified(payload: string): void {
    const { ids, why } = noticeOf(payload)
    for (const guard of fleet.devices()) if (ids.has(guard.peer.deviceId)) guard.cut(why)
    setTimeout(() => void check(ids), AGAIN_MS).unref()
  }

  const listening = await sql.listen('device_credentials', cutNotified, () => void check())
  const timer = setInterval(() => {
    if (checking) return
    checking = true
    void check().finally(() => {
      checking = false
    })
  }, CHECK_MS)
  return {
    close: async () => {
      clearInterval(timer)
      await listening.unlisten()
    },
  }
}
