/**
 * What Redis keeps for one device, within the same limits as in memory: retained messages, found by their device; queued messages; stored
 * sessions [decisions/142]. Each limit is checked and used up in one script, so that several brokers share it.
 */
import { matches, ownerOf } from '../acl.ts'
import { limits } from '../limits.ts'
import type { Line } from './line.ts'
import { type Kept, RetainedLater } from './retained-later.ts'

const RETAINED_OWNERS = 'retained-owners'
const retainedKey = (sn: string) => `retained-of:${sn}`
const sessionsKey = (sn: string) => `sessions-of:${sn}`
const roomKey = (clientId: string) => `room:${encodeURIComponent(clientId)}`
/** The session package's key. */
const queueKey = (clientId: string) => `outgoing:${encodeURIComponent(clientId)}`

/** The size of a message besides its payload and topic, as counted in memory. */
const OVERHEAD_BYTES = 200
/**
 * When an empty queue still counts messages after this time, the count was left behind by brokers that died, and is
 * reset: a message in transit would have arrived by then.
 */
const SETTLED_S = 60
const QUEUED_S = 8 * 86_400
/** Retained messages that Redis refused are stored again after this time. */
const AGAIN_MS = 5_000

/** The field '' counts the bytes. An empty value deletes. */
const RETAIN = `
local old = redis.call('HGET', KEYS[1], ARGV[1])
local bytes = tonumber(redis.call('HGET', KEYS[1], '') or '0')
if old then
  redis.call('HDEL', KEYS[1], ARGV[1])
  bytes = bytes - #old
end
local stored = 0
if #ARGV[2] > 0 and redis.call('HLEN', KEYS[1]) - 1 < tonumber(ARGV[3]) and bytes + #ARGV[2] <= tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  bytes = bytes + #ARGV[2]
  stored = 1
end
if bytes > 0 then
  redis.call('HSET', KEYS[1], '', bytes)
  redis.call('SADD', KEYS[2], ARGV[5])
else
  redis.call('DEL', KEYS[1])
  redis.call('SREM', KEYS[2], ARGV[5])
end
return stored`

/** Returns 1 if there was room, which is then used. */
const TAKE = `
local now = tonumber(redis.call('TIME')[1])
local n, bytes, at = unpack(redis.call('HMGET', KEYS[1], 'n', 'bytes', 'at'))
n, bytes, at = tonumber(n or '0'), tonumber(bytes or '0'), tonumber(at or '0')
if n > 0 and now - at > ${SETTLED_S} and redis.call('LLEN', KEYS[2]) == 0 then n, bytes = 0, 0 end
if n >= tonumber(ARGV[2]) or bytes + tonumber(ARGV[1]) > tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], 'n', n + 1, 'bytes', bytes + tonumber(ARGV[1]), 'at', now)
redis.call('EXPIRE', KEYS[1], ${QUEUED_S})
return 1`

const GIVE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return end
if redis.call('HINCRBY', KEYS[1], 'n', -1) <= 0 then redis.call('DEL', KEYS[1])
else redis.call('HINCRBY', KEYS[1], 'bytes', -tonumber(ARGV[1])) end`

/** Messages that are in no other queue are deleted with it: they would stay for days. */
const EMPTY = `
for _, key in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if redis.call('DECR', key .. ':offlineCount') <= 0 then redis.call('DEL', key, key .. ':offlineCount') end
end
redis.call('DEL', KEYS[1], KEYS[2])`

/** The sessions beyond the limit, the oldest first. */
const ENTER = `
local now = redis.call('TIME')
redis.call('ZADD', KEYS[1], now[1] * 1000 + math.floor(now[2] / 1000), ARGV[1])
local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[2])
if over <= 0 then return {} end
return redis.call('ZRANGE', KEYS[1], 0, over - 1)`

type Retained = Kept & { cmd: 'publish'; retain: true; dup: false; brokerId?: string; brokerCounter?: number }

function packed({ topic, payload, qos, brokerId, brokerCounter }: Omit<Retained, 'cmd' | 'retain' | 'dup'>) {
  const head = Buffer.from(JSON.stringify({ topic, qos, brokerId, brokerCounter }).padEnd(OVERHEAD_BYTES))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(head.length)
  return Buffer.concat([length, head, payload])
}

function unpacked(value: Buffer): Retained {
  const end = 2 + value.readUInt16BE(0)
  const head = JSON.parse(value.toString('utf8', 2, end)) as Omit<Retained, 'payload'>
  return { ...head, cmd: 'publish', retain: true, dup: false, payload: value.subarray(end) }
}

const weight = ({ payload, topic }: Kept) => payload.length + topic.length + OVERHEAD_BYTES

/** @param refused called for each message that is dropped because of a limit */
export function openKept(line: Line, refused: () => void) {
  const later = new RetainedLater()

  async function storeRetained(sn: string, packet: Kept): Promise<void> {
    const value = packet.payload.length === 0 ? '' : packed(packet)
    const most = [limits.retainedMessages, limits.retainedBytes]
    const stored = await line.eval(
      RETAIN,
      2,
      retainedKey(sn),
      RETAINED_OWNERS,
      packet.topic,
      value,
      ...most,
      sn,
    )
    if (value !== '' && stored === 0) refused()
  }

  let storing = false
  async function storeLater(): Promise<void> {
    if (storing) return
    storing = true
    try {
      while (line.open && !later.isEmpty) await later.store(storeRetained)
    } catch (error) {
      // Redis is full, or unavailable again: what is left must not wait for the next connection.
      line.emit('error', error)
      setTimeout(() => void storeLater(), AGAIN_MS).unref()
    } finally {
      storing = false
    }
  }
  line.on('ready', () => void storeLater())

  async function* retainedOf(sn: string, pattern: string) {
    for (const [topic, value] of Object.entries(await line.hgetallBuffer(retainedKey(sn))))
      if (topic !== '' && matches(pattern, topic)) yield unpacked(value)
  }

  /** Only those of one device if the pattern names it, which patterns of devices do. */
  async function* retained(patterns: readonly string[]) {
    for (const pattern of patterns) {
      const sn = ownerOf(pattern)
      const owners = sn === null || /[+#]/.test(sn) ? await line.smembers(RETAINED_OWNERS) : [sn]
      for (const owner of owners) yield* retainedOf(owner, pattern)
    }
  }

  return {
    retained,
    retain: async (packet: Kept): Promise<void> => {
      const sn = ownerOf(packet.topic)
      if (sn === null) return
      // Not before those that still wait.
      if ((line.open && later.isEmpty) || !later.add(sn, packet)) return storeRetained(sn, packet)
    },
    /** Whether the session may queue one more message, which is then counted. */
    take: async (clientId: string, packet: Kept): Promise<boolean> => {
      const most = [limits.queuedMessages, limits.queuedBytes]
      const keys = [roomKey(clientId), queueKey(clientId)]
      const hasRoom = (await line.eval(TAKE, 2, ...keys, weight(packet), ...most)) === 1
      if (!hasRoom) refused()
      return hasRoom
    },
    give: async (clientId: string, packet: Kept): Promise<void> => {
      await line.eval(GIVE, 1, roomKey(clientId), weight(packet))
    },
    empty: async (clientId: string): Promise<void> => {
      await line.eval(EMPTY, 2, queueKey(clientId), roomKey(clientId))
    },
    /** Sessions of the device beyond its limit. */
    enter: async (sn: string, clientId: string): Promise<string[]> =>
      (await line.eval(ENTER, 1, sessionsKey(sn), clientId, limits.storedSessions)) as string[],
    leave: async (sn: string, clientId: string): Promise<void> => {
      await line.zrem(sessionsKey(sn), clientId)
    },
  }
}
