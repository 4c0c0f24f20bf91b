/**
 * Latest values in memory, written behind once a second; the history in the sample tables is the source of
 * truth.
 */
import type { Context } from '#infra/context'
import { isRowFault } from './committer.ts'
import type { HotUplink } from './uplink.ts'

const WRITE_MS = 1_000

export type Latest = { set(deviceId: number, atMs: number, payload: unknown): void; close(): Promise<void> }

const nothing: Latest = { set: () => undefined, close: async () => undefined }

export function openLatest(context: Pick<Context, 'sql' | 'log'>, uplink: HotUplink): Latest {
  return uplink.latest ? openWriter(context, uplink.uplink.name, uplink.latest) : nothing
}

function openWriter(
  context: Pick<Context, 'sql' | 'log'>,
  name: string,
  latest: NonNullable<HotUplink['latest']>,
): Latest {
  let values = new Map<number, { at: number; payload: unknown }>()
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    if (values.size === 0) return
    const taken = values
    values = new Map()
    // In the same order as presence, which updates the same rows; different orders would deadlock.
    const rows = [...taken]
      .map(([deviceId, entry]) => ({ ...latest.values(entry.payload), deviceId, at: entry.at }))
      .sort((a, b) => a.deviceId - b.deviceId)
    try {
      await context.sql.unsafe(latest.update, [JSON.stringify(rows)], { prepare: true })
    } catch (error) {
      // A value that PostgreSQL refuses would be refused on every retry.
      if (isRowFault(error)) return context.log.error({ err: error }, `${name}: latest values lost`)
      context.log.warn({ err: error }, `${name}: latest values wait`)
      for (const [deviceId, entry] of taken) set(deviceId, entry.at, entry.payload)
    }
  }

  function set(deviceId: number, at: number, payload: unknown): void {
    const known = values.get(deviceId)
    if (!known || known.at < at) values.set(deviceId, { at, payload })
  }

  const timer = setInterval(() => {
    writing ??= write().finally(() => {
      writing = null
    })
  }, WRITE_MS)
  return {
    set,
    close: async () => {
      clearInterval(timer)
      await writing
      await write()
    },
  }
}
