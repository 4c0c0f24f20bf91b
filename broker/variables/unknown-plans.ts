/** Gateways that report by a plan that does not exist: the workers send them their current plan again. */
import type { FilingTools } from '../uplink.ts'

const WRITE_MS = 500
/** A gateway is sent its plan at most this often. */
const AGAIN_MS = 10_000

export function openUnknownPlans({ sql, log }: Pick<FilingTools, 'sql' | 'log'>) {
  const lastAt = new Map<number, number>()
  let waiting: number[] = []

  async function write(): Promise<void> {
    const cut = performance.now() - AGAIN_MS
    for (const [id, at] of lastAt) if (at < cut) lastAt.delete(id)
    if (waiting.length === 0) return
    const ids = waiting
    waiting = []
    try {
      await sql()`
        update collection_states set running_revision = null, sent_at = null where device_id = any(${ids}::int[])`
    } catch (error) {
      log.warn(
        { err: error, gateways: ids.length },
        'gateways with an unknown plan: noted at their next report',
      )
    }
  }

  const timer = setInterval(() => void write(), WRITE_MS)
  return {
    note: (deviceId: number): void => {
      if (lastAt.has(deviceId)) return
      lastAt.set(deviceId, performance.now())
      waiting.push(deviceId)
    },
    close: async (): Promise<void> => {
      clearInterval(timer)
      await write()
    },
  }
}
