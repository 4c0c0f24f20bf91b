/** The state of accounts, and unmapped names: written once a second, lost in a crash. */
import { randomUUID } from 'node:crypto'
import type { Context } from '#infra/context'
import type { SouthSample } from '#schema/monitor/south/adapter'
import { SOURCE_MAX, type SouthFault, UNMAPPED_MAX } from '#schema/monitor/south-kinds'
import { clean } from './raw-value.ts'

const WRITE_MS = 1_000
const SEEN_EVERY_MS = 5_000
/** The state of a broker that crashed is ignored after this time. */
const GONE_MS = 60_000
const NAMES_EVERY_MS = 5_000
/** Window for messages per second. */
const RATE_MS = 10_000

type Sent = Pick<SouthSample, 'source' | 'name'>
type Name = Sent & { value: string | null; at: number }
type Counted = {
  messages: number
  stored: number
  faults: number
  fault: SouthFault | null
  faultTopic: string | null
  messageAt: number | null
  /** Those to be written. */
  names: Map<string, Name>
  logged: Set<string>
  since: number
  inWindow: number
  perSecond: number
  seenAt: number
  namesAt: number
  left: boolean
}

const keyOf = ({ source, name }: Sent) => JSON.stringify([source, name])

const isWritten = ({ messages, stored, faults, left, names }: Counted) =>
  messages + stored + faults + names.size === 0 && !left

export function openWrittenBehind({ sql, log, now }: Pick<Context, 'sql' | 'log' | 'now'>) {
  /** Of this start of this broker. */
  const me = randomUUID()
  const accounts = new Map<number, Counted>()

  function of(id: number): Counted {
    const known = accounts.get(id)
    if (known) return known
    const made: Counted = {
      messages: 0,
      stored: 0,
      faults: 0,
      fault: null,
      faultTopic: null,
      messageAt: null,
      names: new Map(),
      logged: new Set(),
      since: performance.now(),
      inWindow: 0,
      perSecond: 0,
      seenAt: Number.NEGATIVE_INFINITY,
      namesAt: Number.NEGATIVE_INFINITY,
      left: false,
    }
    accounts.set(id, made)
    return made
  }

  async function writeState(id: number, counted: Counted, connected: boolean): Promise<void> {
    const mono = performance.now()
    if (mono - counted.since >= RATE_MS) {
      counted.perSecond = (counted.inWindow * 1000) / (mono - counted.since)
      counted.since = mono
      counted.inWindow = 0
    }
    const due = connected && mono - counted.seenAt >= SEEN_EVERY_MS
    if (!due && !counted.left && counted.messages + counted.stored + counted.faults === 0) return
    const { messages, stored, faults, fault, faultTopic, messageAt, left } = counted
    const putBack = () => {
      counted.messages += messages
      counted.stored += stored
      counted.faults += faults
      // One of meanwhile is newer.
      if (counted.fault === null) Object.assign(counted, { fault, faultTopic })
      counted.left ||= left
    }
    Object.assign(counted, { messages: 0, stored: 0, faults: 0, fault: null, faultTopic: null, left: false })
    counted.seenAt = mono
    const nowMs = now().getTime()
    const own = connected ? { [me]: { at: nowMs, perSecond: counted.perSecond } } : {}
    await sql`
      insert into south_states as s (account_id, brokers, message_at, messages, stored, faults, fault, fault_topic, fault_at)
      select a.id, ${sql.json(own)}::jsonb, to_timestamp(${messageAt}::float8 / 1000), ${messages}::bigint, ${stored}::bigint,
        ${faults}::bigint, ${fault}::text, ${faultTopic}::text, ${fault ? now() : null}::timestamptz
      from south_accounts a where a.id = ${id}
      on conflict (account_id) do update set brokers = excluded.brokers || (
          select coalesce(jsonb_object_agg(b.key, b.value), '{}') from jsonb_each(s.brokers) b
          where b.key <> ${me} and (b.value ->> 'at')::float8 > ${nowMs - GONE_MS}),
        message_at = coalesce(excluded.message_at, s.message_at), messages = s.messages + excluded.messages,
        stored = s.stored + excluded.stored, faults = s.faults + excluded.faults,
        fault = coalesce(excluded.fault, s.fault), fault_at = coalesce(excluded.fault_at, s.fault_at),
        fault_topic = case when excluded.fault is null then s.fault_topic else excluded.fault_topic end`.catch(
      (error: unknown) => {
        putBack()
        throw error
      },
    )
  }

  /** `last`: no later round will write them, so they do not wait for their time. */
  async function writeNames(id: number, counted: Counted, last: boolean): Promise<void> {
    const names = [...counted.names.values()]
    if (names.length === 0 || (!last && performance.now() - counted.namesAt < NAMES_EVERY_MS)) return
    counted.namesAt = performance.now()
    counted.names.clear()
    await sql`
      insert into south_names (account_id, source, name, value, at)
      select a.id, x.source, x.name, x.value, to_timestamp(x.at / 1000)
      from south_accounts a, unnest(${names.map((one) => one.source)}::text[], ${names.map((one) => one.name)}::text[],
        ${names.map((one) => one.value)}::text[], ${names.map((one) => one.at)}::float8[]) as x(source, name, value, at)
      where a.id = ${id}
      on conflict (account_id, source, name) do update set value = excluded.value, at = excluded.at`
  }

  let writing: Promise<void> | null = null
  async function write(stopping = false): Promise<void> {
    for (const [id, counted] of accounts)
      try {
        await writeState(id, counted, online.has(id))
        await writeNames(id, counted, stopping || !online.has(id))
        if (!online.has(id) && isWritten(counted)) accounts.delete(id)
      } catch (error) {
        log.warn({ err: error, account: id }, 'state of a southbound account not written')
      }
  }
  const online = new Set<number>()
  const timer = setInterval(() => {
    writing ??= write().finally(() => {
      writing = null
    })
  }, WRITE_MS)

  return {
    connected: (id: number, is: boolean): void => {
      if (is) {
        online.add(id)
        // A silent account is connected, too.
        of(id)
      } else {
        online.delete(id)
        of(id).left = true
      }
    },
    message: (id: number, at: number): void => {
      const counted = of(id)
      counted.messages++
      counted.inWindow++
      counted.messageAt = at
    },
    stored: (id: number, values: number): void => {
      of(id).stored += values
    },
    fault: (id: number, fault: SouthFault, topic: string): void => {
      const counted = of(id)
      counted.faults++
      counted.fault = fault
      counted.faultTopic = clean(topic, SOURCE_MAX)
    },
    /** Limited to the first names: a source that invents names must not fill a table. */
    unmapped: (id: number, { value, ...sample }: SouthSample, at: number): void => {
      const { names, logged } = of(id)
      const source = clean(sample.source, SOURCE_MAX)
      const name = clean(sample.name, SOURCE_MAX)
      const key = keyOf({ source, name })
      if (!logged.has(key)) {
        if (logged.size >= UNMAPPED_MAX) return
        logged.add(key)
      }
      names.set(key, {
        source,
        name,
        value: value === null ? null : clean(String(value), SOURCE_MAX),
        at,
      })
    },
    /**
     * Names that are known by now are listed no longer. The others stay: their source may not send them again for an hour.
     * A full list begins anew, or names that nobody sends any more would take the place of others.
     */
    relinked: async (id: number, isKnown: (name: Sent) => boolean): Promise<void> => {
      const listed = await sql<Sent[]>`select source, name from south_names where account_id = ${id}`
      const counted = of(id)
      counted.namesAt = Number.NEGATIVE_INFINITY
      for (const [key, name] of counted.names) if (isKnown(name)) counted.names.delete(key)
      const kept = listed.length < UNMAPPED_MAX ? listed.filter((name) => !isKnown(name)) : []
      counted.logged = new Set([...kept.map(keyOf), ...counted.names.keys()])
      const gone = listed.filter((name) => !counted.logged.has(keyOf(name)))
      if (gone.length === 0) return
      await sql`
        delete from south_names n using unnest(${gone.map((one) => one.source)}::text[], ${gone.map((one) => one.name)}::text[]) as x(source, name)
        where n.account_id = ${id} and n.source = x.source and n.name = x.name`
    },
    close: async (): Promise<void> => {
      clearInterval(timer)
      await writing
      await write(true)
    },
  }
}
