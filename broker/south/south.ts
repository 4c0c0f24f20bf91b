/**
 * Foreign sources: accounts whose messages are values of terminals [decisions/120]. Nothing that they publish is routed
 * to any client; responses of an adapter are sent directly to the connections of the account.
 */
import type { Context } from '#infra/context'
import { gatherDeclared } from '#infra/gather'
import type { Sql } from '#infra/postgres'
import { reportTime } from '#schema/monitor/clock'
import { qualityCode } from '#schema/monitor/fields'
import {
  isSouthAdapter,
  SAMPLES_MAX,
  type SouthReading,
  type SouthSession,
} from '#schema/monitor/south/adapter'
import { matches } from '../acl.ts'
import type { Guard } from '../guard.ts'
import { limits } from '../limits.ts'
import type { SourcePeer } from '../peer.ts'
import type { FileReading } from '../variables/reading.ts'
import { openConnections } from './connections.ts'
import { openEnds } from './ends.ts'
import { openGathered } from './gathered.ts'
import { type Account, type Links, readAccounts, readLinks, variableOf } from './links.ts'
import { openRate, type Rate } from './message-rate.ts'
import { southValue } from './raw-value.ts'
import { openWrittenBehind } from './written-behind.ts'

const CHECK_MS = 2_000
const RETRY_MS = 500
/** Deleted between login and message. */
class Gone extends Error {}
const slaveOffline = { value: null, text: null, quality: qualityCode('slaveOffline') }

/** Nothing is missing for it: it has a variable, or nothing of its terminal is collected. */
const isKnownIn =
  (links: Links) =>
  ({ source, name }: { source: string; name: string }): boolean =>
    links.hidden.has(source) || variableOf(links, source, name) !== null

type Live = {
  account: Account
  links: Links
  session: SouthSession
  guards: Set<Guard>
  rate: Rate
}

type Tools = Pick<Context, 'sql' | 'log' | 'now'> & {
  file: FileReading
  /** Whether QoS 0 messages are still taken. */
  hasRoom(): boolean
}

export async function openSouth(tools: Tools) {
  const { sql, log, now } = tools
  let closed = false
  /** The connection that is being sent a response: the only message that it may receive. */
  let answered: Guard | null = null
  const adapters = new Map((await gatherDeclared(isSouthAdapter)).map((adapter) => [adapter.name, adapter]))
  const live = new Map<number, Live | Promise<Live>>()
  const behind = openWrittenBehind(tools)
  const ends = openEnds()
  const gathered = openGathered(tools.file)

  const openSession = ({ kind, mapping }: Account): SouthSession => {
    const session = adapters.get(kind)?.open(mapping)
    if (!session) throw new Error(`no adapter ${kind}`)
    return session
  }

  async function load(id: number, guards: Set<Guard>): Promise<Live> {
    for (;;)
      try {
        const [account] = await readAccounts(sql as Sql, [id])
        if (!account) {
          live.delete(id)
          cut(guards)
          throw new Gone()
        }
        const links = await readLinks(sql as Sql, account)
        await behind.relinked(id, isKnownIn(links))
        return {
          account,
          links,
          session: openSession(account),
          guards,
          rate: openRate(performance.now()),
        }
      } catch (error) {
        if (error instanceof Gone || closed || guards.size === 0) throw error
        log.warn({ err: error, account: id }, 'southbound account not read: its messages wait')
        await new Promise((done) => setTimeout(done, RETRY_MS))
      }
  }

  const connections = openConnections({ live, load, connected: behind.connected })

  const cut = (guards: Iterable<Guard>) => {
    for (const guard of guards) guard.cut('revoked')
  }

  /** Closes connections of accounts that have ended or changed, and reads the links of names again. */
  async function check(): Promise<void> {
    const open = [...live.values()].filter((one): one is Live => !(one instanceof Promise))
    if (open.length === 0) return
    const rows = new Map(
      (
        await readAccounts(
          sql as Sql,
          open.map(({ account }) => account.id),
        )
      ).map((row) => [row.id, row]),
    )
    for (const one of open) {
      const row = rows.get(one.account.id)
      const { account } = one
      const same =
        JSON.stringify([account.topics, account.mapping]) === JSON.stringify([row?.topics, row?.mapping])
      if (!row?.enabled || row.secretHash !== account.secretHash || !same) cut(one.guards)
      else if (row.edition !== account.edition) {
        one.links = await readLinks(sql as Sql, row)
        one.account = row
        await behind.relinked(row.id, isKnownIn(one.links))
      }
    }
  }

  let checking: Promise<void> | null = null
  const checkSoon = () => {
    checking ??= check()
      .catch((error: unknown) => log.warn({ err: error }, 'southbound accounts not checked'))
      .finally(() => {
        checking = null
      })
  }
  const timer = setInterval(checkSoon, CHECK_MS)
  const listening = await sql.listen('south_accounts', checkSoon, checkSoon)

  function answer({ guards }: Live, answers: NonNullable<SouthReading['answers']>): void {
    for (const { topic, payload } of answers)
      for (const guard of guards) {
        if (![...guard.filters.keys()].some((filter) => matches(filter, topic))) continue
        if (guard.writableLength > limits.qos0OutputBytes) continue
        answered = guard
        guard.client?.publish(
          { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 0, retain: false, dup: false },
          () => undefined,
        )
        answered = null
      }
  }

  /** Marks all values of a source as unknown. */
  function end(
    { links }: Live,
    source: string,
    at: number,
    wait: (values: number) => (stored: boolean) => void,
  ): void {
    for (const [name, terminal] of links.bySource) {
      if (name !== source && !name.startsWith(`${source}/`)) continue
      const of = { terminal, madeAt: links.madeAt, at, late: false }
      ends.ended(terminal.terminalId, at)
      for (const { slot } of terminal.byName.values()) gathered.add(of, slot, slaveOffline, wait(0))
    }
  }

  function take(one: Live, topic: string, payload: Buffer, done: (stored: boolean) => void): void {
    const { id } = one.account
    const at = now().getTime()
    behind.message(id, at)
    const reading = read(one, { topic, payload, now: at })
    if (reading.fault) behind.fault(id, reading.fault, topic)
    let waiting = 1
    let all = true
    let values = 0
    const release = (stored: boolean) => {
      all &&= stored
      if (--waiting > 0) return
      if (all && values > 0) behind.stored(id, values)
      done(all)
    }
    const wait = (count: number) => {
      waiting++
      values += count
      return release
    }
    if (reading.samples.length > SAMPLES_MAX) behind.fault(id, 'tooMuch', topic)
    for (const { source, at: endedAt } of reading.ended ?? []) {
      const time = reportTime(endedAt, false, 0, at)
      if (!('fault' in time)) end(one, source, time.at, wait)
    }
    const afterEnd = ends.ofMessage()
    for (const sample of reading.samples.slice(0, SAMPLES_MAX)) {
      const found = variableOf(one.links, sample.source, sample.name)
      if (!found) {
        if (!one.links.hidden.has(sample.source)) behind.unmapped(id, sample, at)
        continue
      }
      const late = sample.late === true
      const time = reportTime(Math.round(sample.at), late, 0, at)
      if ('fault' in time) {
        behind.fault(id, 'tooOld', topic)
        continue
      }
      const { slot } = found.scale
      const filedAt = sample.current ? afterEnd(found.terminal.terminalId, slot, time.at) : time.at
      const of = { terminal: found.terminal, madeAt: one.links.madeAt, at: filedAt, late }
      gathered.add(of, slot, southValue(found.scale, sample, time.uncertain), wait(1))
    }
    if (reading.answers) answer(one, reading.answers)
    release(true)
  }

  /** An adapter must not throw; if one does, its account gets a fault and the broker continues. */
  function read(one: Live, message: Parameters<SouthSession['read']>[0]): SouthReading {
    try {
      return one.session.read(message)
    } catch (error) {
      log.error({ err: error, account: one.account.id, topic: message.topic }, 'southbound adapter')
      return { samples: [], fault: 'unreadable' }
    }
  }

  return {
    answers: (guard: Guard): boolean => guard === answered,
    /** Returns false if the account has reached its limit of connections. */
    hasRoom: (accountId: number): boolean => {
      const one = live.get(accountId)
      return one === undefined || one instanceof Promise || one.guards.size < limits.sourceConnections
    },
    enter: (guard: Guard, { accountId }: SourcePeer): void => {
      connections.join(guard, accountId)
      guard.once('close', () => connections.leave(guard, accountId))
    },
    /** Calls `done` once all mapped values in it are committed. */
    receive: (
      { accountId }: SourcePeer,
      topic: string,
      payload: Buffer,
      qos: number,
      done: (stored: boolean) => void,
    ): void => {
      if (closed) {
        done(false)
        return
      }
      const go = (one: Live) => {
        const wait =
          qos === 0 && !tools.hasRoom() ? Number.POSITIVE_INFINITY : one.rate.delay(qos, performance.now())
        if (wait === Number.POSITIVE_INFINITY) {
          behind.fault(accountId, 'tooMuch', topic)
          return done(false)
        }
        if (wait === 0) take(one, topic, payload, done)
        else setTimeout(take, wait, one, topic, payload, done)
      }
      const one = live.get(accountId)
      // A will, after the last connection has closed.
      if (one === undefined)
        // Not awaited: a new connection may be established meanwhile, whose values must stay.
        load(accountId, new Set()).then(go, () => done(false))
      else if (one instanceof Promise) one.then(go, () => done(false))
      else go(one)
    },
    /** It published or subscribed to a topic that it may not use. */
    refused: ({ accountId }: SourcePeer, topic: string): void => behind.fault(accountId, 'topic', topic),
    close: async (): Promise<void> => {
      closed = true
      clearInterval(timer)
      await listening.unlisten()
      await checking
      gathered.close()
      await behind.close()
    },
  }
}
export type South = Awaited<ReturnType<typeof openSouth>>
