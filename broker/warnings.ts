/** Warnings that a person should see, at most one per device and kind each minute, written in batches. */
import type { Context } from '#infra/context'

const EVERY_MS = 60_000
const WRITE_MS = 500
const WAITING_MAX = 5_000

export type Warnings = { warn(deviceId: number, what: string, detail: string): void; close(): Promise<void> }

export function openWarnings(context: Pick<Context, 'sql' | 'log'>): Warnings {
  const lastAt = new Map<string, number>()
  let waiting: { deviceId: number; what: string; detail: string; at: string }[] = []

  async function write(): Promise<void> {
    const cut = performance.now() - EVERY_MS
    for (const [key, at] of lastAt) if (at < cut) lastAt.delete(key)
    if (waiting.length === 0) return
    const rows = waiting
    waiting = []
    try {
      await context.sql`
        insert into device_warnings (device_id, at, what, detail)
        select * from unnest(${rows.map((r) => r.deviceId)}::int[], ${rows.map((r) => r.at)}::timestamptz[],
          ${rows.map((r) => r.what)}::text[], ${rows.map((r) => r.detail)}::text[])`
    } catch (error) {
      context.log.warn({ err: error, rows: rows.length }, 'device warnings lost')
    }
  }

  const timer = setInterval(() => void write(), WRITE_MS)
  return {
    warn: (deviceId, what, detail) => {
      const key = `${deviceId} ${what}`
      if (lastAt.has(key) || waiting.length >= WAITING_MAX) return
      lastAt.set(key, performance.now())
      const clean = detail
        .replace(/\p{Cc}/gu, ' ')
        .slice(0, 300)
        .toWellFormed()
      waiting.push({ deviceId, what, detail: clean, at: new Date().toISOString() })
    },
    close: async () => {
      clearInterval(timer)
      await write()
    },
  }
}
