/** One call for the strips of all visible rows: requests made at nearly the same time are combined. */
import { getPresenceStrips, STRIP_DEVICES_MAX } from '#schema/device/presence-strip'
import { request } from '../kit/api.ts'

export type Strip = { from: string; strip: string }
type Waiting = { resolve: (strip: Strip | null) => void; reject: (error: unknown) => void }

const GATHER_MS = 30
let waiting = new Map<number, Waiting[]>()

async function send(batch: ReadonlyMap<number, readonly Waiting[]>) {
  try {
    // A separate signal: a navigation must not cancel requests of the next page's rows.
    const { signal } = new AbortController()
    const { from, list } = await request(getPresenceStrips, { deviceIds: [...batch.keys()] }, signal)
    const strips = new Map(list.map(({ deviceId, strip }) => [deviceId, strip]))
    for (const [deviceId, rows] of batch) {
      const strip = strips.get(deviceId)
      for (const row of rows) row.resolve(strip === undefined ? null : { from, strip })
    }
  } catch (error) {
    for (const row of [...batch.values()].flat()) row.reject(error)
  }
}

function flush() {
  const all = [...waiting]
  waiting = new Map()
  for (let i = 0; i < all.length; i += STRIP_DEVICES_MAX)
    void send(new Map(all.slice(i, i + STRIP_DEVICES_MAX)))
}

/** null: the device is no longer visible. */
export function fetchStrip(deviceId: number): Promise<Strip | null> {
  return new Promise((resolve, reject) => {
    if (waiting.size === 0) setTimeout(flush, GATHER_MS)
    waiting.set(deviceId, [...(waiting.get(deviceId) ?? []), { resolve, reject }])
  })
}
