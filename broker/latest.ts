/**
 * Latest values in memory, written behind: the first of a device within a second, the following at most once in five
 * seconds. The history in the sample tables is the source of truth.
 */
import type { Context } from '#infra/context'
import { isRowFault } from './committer.ts'
import type { HotUplink, Slice } from './uplink.ts'

const WRITE_MS = 1_000
/** A row that is updated more often costs more than the sample itself, and no page reads faster. */
const PAUSE_MS = 5_000

export type Latest = {
  set(deviceId: number, atMs: number, payload: unknown): void
  /** The same of a valid message that was not parsed; its bytes are copied. */
  setBytes(deviceId: number, atMs: number, message: Slice): void
  close(): Promise<void>
}

const nothing: Latest = { set: () => undefined, setBytes: () => undefined, close: async () => undefined }

/**
 * `length` bytes of JSON, or a payload. Most are replaced before they are written: those are never parsed. `arrivedAt`: by
 * the platform's clock.
 */
type Newest = { at: number; arrivedAt: number; payload: unknown; bytes: Buffer | null; length: number }

const payloadOf = ({ payload, bytes, length }: Newest) =>
  bytes === null ? payload : (JSON.parse(bytes.toString('utf8', 0, length)) as unknown)

type Tools = Pick<Context, 'sql' | 'log' | 'now'>

export function openLatest(context: Tools, uplink: HotUplink): Latest {
  return uplink.latest ? openWriter(context, uplink.uplink.name, uplink.latest) : nothing
}

function openWriter(context: Tools, name: string, latest: NonNullable<HotUplink['latest']>): Latest {
  const values = new Map<number, Newest>()
  const arrival = () => context.now().getTime()
  /** When the values of each device were last written, within the last five seconds; in that order. */
  const written = new Map<number, number>()
  let writing: Promise<void> | null = null

  /** Returns the devices whose pause is over; `all`: every device, when the broker stops. */
  function take(all: boolean) {
    const now = performance.now()
    for (const [deviceId, at] of written) {
      if (now - at < PAUSE_MS) break
      written.delete(deviceId)
    }
    const taken = [...values].filter(([deviceId]) => all || !written.has(deviceId))
    for (const [deviceId] of taken) {
      values.delete(deviceId)
      written.delete(deviceId)
      written.set(deviceId, now)
    }
    return taken
  }

  async function write(all = false): Promise<void> {
    const taken = take(all)
    if (taken.length === 0) return
    // In the same order as presence, which updates the same rows; different orders would deadlock.
    const rows = taken
      .map(([deviceId, entry]) => ({
        ...latest.values(payloadOf(entry)),
        deviceId,
        at: entry.at,
        arrivedAt: entry.arrivedAt,
      }))
      .sort((a, b) => a.deviceId - b.deviceId)
    try {
      await context.sql.unsafe(latest.update, [JSON.stringify(rows)], { prepare: true })
    } catch (error) {
      // A value that PostgreSQL refuses would be refused on every retry.
      if (isRowFault(error)) return context.log.error({ err: error }, `${name}: latest values lost`)
      context.log.warn({ err: error }, `${name}: latest values wait`)
      for (const [deviceId, entry] of taken) {
        written.delete(deviceId)
        put(deviceId, entry)
      }
    }
  }

  function put(deviceId: number, newest: Newest): void {
    const known = values.get(deviceId)
    if (!known || known.at < newest.at) values.set(deviceId, newest)
  }

  function setBytes(deviceId: number, at: number, { bytes, from, to }: Slice): void {
    const length = to - from
    const known = values.get(deviceId)
    if (known && known.at >= at) return
    // Overwritten in place: thousands of messages a second would leave as many buffers to the garbage collector.
    const own = known?.bytes && known.bytes.length >= length ? known.bytes : Buffer.allocUnsafeSlow(length)
    bytes.copy(own, 0, from, to)
    if (!known) values.set(deviceId, { at, arrivedAt: arrival(), payload: null, bytes: own, length })
    else {
      known.at = at
      known.arrivedAt = arrival()
      known.bytes = own
      known.length = length
    }
  }

  const timer = setInterval(() => {
    writing ??= write().finally(() => {
      writing = null
    })
  }, WRITE_MS)
  return {
    set: (deviceId, at, payload) =>
      put(deviceId, { at, arrivedAt: arrival(), payload, bytes: null, length: 0 }),
    setBytes,
    close: async () => {
      clearInterval(timer)
      await writing
      await write(true)
    },
  }
}
