/** Identifies the senders of messages: devices by serial number, cached for some seconds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { batched } from '#infra/batched'
import type { Context } from '#infra/context'

export type Sender = { deviceId: number; customerId: number; used: boolean }
type Row = { sn: string; device_id: number; customer_id: number; used: boolean }

const REMEMBERED_MS = 10_000
const REMEMBERED_MAX = 100_000
const RETRY_MS = 500

export async function openDevices({ sql, log }: Pick<Context, 'sql' | 'log'>) {
  const lookup = batched<Row>(
    (sns) => sql<Row[]>`
      select sn, id as device_id, customer_id, secret_used_at is not null as used from devices
      where sn = any(${sns}::text[]) and deleted_at is null`,
    (row) => row.sn,
  )
  const known = new Map<string, { at: number; found: Promise<Sender | null> }>()
  /** The last look-up of each serial number that is under way, and may wait for the database. */
  const asking = new Map<string, Promise<Sender | null>>()

  /** Waits while the database is unavailable: the message is not acknowledged meanwhile. */
  async function ask(sn: string): Promise<Sender | null> {
    for (;;) {
      try {
        const row = await lookup(sn)
        return row && { deviceId: row.device_id, customerId: row.customer_id, used: row.used }
      } catch (error) {
        log.warn({ err: error }, 'devices cannot be looked up')
        await sleep(RETRY_MS)
      }
    }
  }

  // A device that was deleted or moved to another customer must not be handled by its old state.
  const forget = () => known.clear()
  const listening = await sql.listen('device_credentials', forget, forget)
  return {
    /** Callbacks for one serial number are called in order of request. */
    find: (sn: string): Promise<Sender | null> => {
      const now = performance.now()
      const entry = known.get(sn)
      if (entry && now - entry.at < REMEMBERED_MS) return entry.found
      if (known.size >= REMEMBERED_MAX) known.clear()
      // What was sent before this message may still wait for its look-up, although what is known was forgotten meanwhile.
      const before = asking.get(sn)
      const found = before ? before.then(() => ask(sn)) : ask(sn)
      asking.set(sn, found)
      known.set(sn, { at: now, found })
      void found.then(() => {
        if (asking.get(sn) === found) asking.delete(sn)
      })
      return found
    },
    /** The device has logged in with its secret: enrolment may not issue another one. */
    used: async (sender: Sender): Promise<void> => {
      if (sender.used) return
      sender.used = true
      await sql`
        update devices set secret_used_at = now() where id = ${sender.deviceId} and secret_used_at is null and secret_hash is not null`
    },
    close: () => listening.unlisten(),
  }
}
export type Devices = Awaited<ReturnType<typeof openDevices>>
