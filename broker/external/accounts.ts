/**
 * Keeps the accounts of a Mosquitto in sync with those of the platform, through its dynamic security plugin. The
 * broker's own list is compared: each account carries a fingerprint of its secret, so that changes missed on either
 * side are found and repaired [decisions/138].
 */
import type { Context } from '#infra/context'
import { auxiliaryUsers } from '#schema/device/auxiliary'
import { type Command, openDynamicSecurity } from './dynamic-security.ts'
import { enrolRules, platformRules, type Rule } from './rules.ts'
import { type Account, ENROL_ROLE, roleOf, wantedAccounts } from './wanted.ts'

/** Accounts with this text name are ours; all others are the operator's. */
const OURS = 'iot-cloud-platform'
const PLATFORM_ROLE = 'iot-platform'
const PAGE = 500
/** Accounts per request: other changes must not wait long behind a large import. */
const CHUNK = 25
const GATHER_MS = 100
/** Interval of the full comparison, for expired keys and lost notifications. */
const LOOK_MS = 15_000
const LIST_AGAIN_MS = 300_000
/** One that was moved longer ago and has said nothing since is hardly connected, and each costs the broker ten writes of its file. */
const MOVED_S = 86_400

type Known = { mark: string | null; role: string | null }
type Listed = {
  username: string
  textname?: string
  textdescription?: string
  roles?: { rolename: string }[]
}

const roleCommands = (name: string, rules: readonly Rule[]): Command[] => [
  { command: 'createRole', rolename: name, acls: rules },
  // Deleted first in case it existed: it must have these rules and no others.
  { command: 'modifyRole', rolename: name, acls: rules },
]

export async function openAccounts(context: Context) {
  const { env, log, sql } = context
  let leading = false
  let known: Map<string, Known> | null = null
  let listedAt = 0
  let problem: string | null = null
  let missing = 0
  let missingKeys = 0
  /** Accounts that the broker has refused, with their fingerprint: not retried until it changes. */
  const refused = new Map<string, string>()
  /** Devices that keep their account, but not their connection. Kept by the leading process only. */
  const moved = new Set<number>()
  /** The one that led before may have ended before it disconnected them. */
  let movedBefore = false
  const plugin = openDynamicSecurity(env, () => {
    // It may be another broker, or one restored from an older file.
    known = null
    soon()
  })

  async function prepare(): Promise<void> {
    const [own] = await plugin.run([{ command: 'getClient', username: env.EXTERNAL_MQTT_USERNAME }])
    if (own?.error) throw new Error(`the dynamic security plugin: ${own.error}`)
    const { roles = [] } = (own?.data?.['client'] ?? {}) as Listed
    const role = roles.find(({ rolename }) => rolename === PLATFORM_ROLE)
    await plugin.run([
      ...roleCommands(ENROL_ROLE, enrolRules),
      ...roleCommands(PLATFORM_ROLE, platformRules),
      {
        command: 'setDefaultACLAccess',
        acls: ['publishClientSend', 'publishClientReceive', 'subscribe'].map((acltype) => ({
          acltype,
          allow: false,
        })),
      },
    ])
    // This ends all connections of the account, including this one: the next connection continues.
    if (!role)
      await plugin.run([
        { command: 'addClientRole', username: env.EXTERNAL_MQTT_USERNAME, rolename: PLATFORM_ROLE },
      ])
  }

  async function list(): Promise<Map<string, Known>> {
    const found = new Map<string, Known>()
    for (let offset = 0; ; offset += PAGE) {
      const [page] = await plugin.run([{ command: 'listClients', verbose: true, count: PAGE, offset }])
      if (page?.error) throw new Error(`the dynamic security plugin: ${page.error}`)
      const clients = (page?.data?.['clients'] ?? []) as Listed[]
      for (const { username, textname, textdescription = '', roles = [] } of clients)
        found.set(username, {
          mark: textname === OURS ? textdescription : null,
          role: roles[0]?.rolename ?? null,
        })
      if (clients.length < PAGE) return found
    }
  }

  const writing = (account: Account, exists: boolean): Command[] => [
    ...(account.rules ? roleCommands(account.role, account.rules) : []),
    {
      command: exists ? 'modifyClient' : 'createClient',
      username: account.username,
      password: account.password,
      ...(account.clientId === null ? {} : { clientid: account.clientId }),
      textname: OURS,
      textdescription: account.mark,
      roles: [{ rolename: account.role }],
    },
  ]

  const removing = (username: string, { role }: Known): Command[] => [
    // This ends the connection, too.
    { command: 'deleteClient', username },
    // Auxiliary accounts have the role of the main one.
    ...(role === roleOf(username) ? [{ command: 'deleteRole', rolename: role }] : []),
  ]

  /** Disconnects a device that was moved to another customer, so that it reconnects as theirs. */
  async function cutMoved(): Promise<void> {
    if (movedBefore) {
      const rows = await sql<{ id: number }[]>`
        select id from devices
        where owned_since > hello_at and owned_since > now() - ${MOVED_S} * interval '1 second' and deleted_at is null`
      for (const { id } of rows) moved.add(id)
      movedBefore = false
    }
    if (moved.size === 0) return
    const ids = [...moved]
    const rows = await sql<{ sn: string }[]>`select sn from devices where id = any(${ids}::int[])`
    const users = rows.flatMap(({ sn }) => [sn, ...auxiliaryUsers(sn).slice(0, env.EXTERNAL_MQTT_AUXILIARY)])
    // A broker ends the connection at a request that is larger than it takes.
    for (let at = 0; at < users.length; at += CHUNK)
      await plugin.run(
        users.slice(at, at + CHUNK).flatMap((username) => [
          { command: 'disableClient', username },
          { command: 'enableClient', username },
        ]),
      )
    for (const id of ids) moved.delete(id)
  }

  /** Applies some differences. Returns false if there are none. */
  async function step(at: Map<string, Known>): Promise<boolean> {
    const { wanted, missing: without, missingKeys: keys } = await wantedAccounts(context)
    if (without.length !== missing)
      log.warn({ devices: without.length, some: without.slice(0, 10) }, 'secrets made before: no account')
    missing = without.length
    if (keys.length > 0 && keys.length !== missingKeys)
      log.warn(
        { keys: keys.length, some: keys.slice(0, 10) },
        'enrolment keys made before: no account, make new ones',
      )
    missingKeys = keys.length
    const gone = [...at]
      .filter(([name, { mark }]) => mark !== null && !wanted.has(name))
      // Roles last: Mosquitto 2.0 crashes when it deletes one that a client still has.
      .sort(([a, { role: of }], [b, { role }]) => Number(of === roleOf(a)) - Number(role === roleOf(b)))
      .slice(0, CHUNK)
    if (gone.length > 0) {
      await plugin.run(gone.flatMap(([name, entry]) => removing(name, entry)))
      for (const [name] of gone) at.delete(name)
      return true
    }
    const changed = [...wanted]
      .filter(([name, { mark }]) => at.get(name)?.mark !== mark && refused.get(name) !== mark)
      // Changed secrets first: the old ones must become invalid. Otherwise in order, since a main account creates the
      // role.
      .sort(([a], [b]) => Number(at.has(b)) - Number(at.has(a)))
      .slice(0, CHUNK)
    for (const [name, { mark, make }] of changed) {
      const account = at.get(name)?.mark === null ? null : make()
      if (account === null) {
        log.warn({ username: name }, 'no account at the external broker: the name or the secret is not ours')
        refused.set(name, mark)
        continue
      }
      const answers = await plugin.run(writing(account, at.has(name)))
      const error = answers.at(-1)?.error
      if (error === undefined) at.set(name, { mark, role: account.role })
      else {
        log.warn({ username: name, error }, 'no account at the external broker')
        refused.set(name, mark)
      }
    }
    return changed.length > 0
  }

  async function work(): Promise<void> {
    if (!leading || !plugin.connected()) return
    if (known === null || performance.now() - listedAt > LIST_AGAIN_MS) {
      if (known === null) await prepare()
      known = await list()
      refused.clear()
      listedAt = performance.now()
    }
    await cutMoved()
    const at = known
    while (leading && at === known && (await step(at)));
    problem = null
  }

  let running: Promise<void> | null = null
  let asked = false
  /** Resolves when everything stored before has been transferred to the broker, or the transfer has failed. */
  function settle(): Promise<void> {
    asked = true
    running ??= (async () => {
      while (asked) {
        asked = false
        await work().catch((error: Error) => {
          known = null
          problem = error.message
          log.warn({ err: error }, 'accounts of the external broker')
        })
      }
    })().finally(() => {
      running = null
    })
    return running
  }
  let timer: NodeJS.Timeout | undefined
  function soon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void settle()
    }, GATHER_MS)
  }

  const heard = await Promise.all([
    sql.listen('broker_accounts', soon, soon),
    sql.listen(
      'device_credentials',
      (payload) => {
        const [word, list = ''] = payload.split(' ')
        if (word === 'moved' && leading) for (const id of list.split(',')) moved.add(Number(id))
        soon()
      },
      soon,
    ),
  ])
  const looking = setInterval(() => void settle(), LOOK_MS)
  return {
    /** Only one process does it. */
    lead: (on: boolean): void => {
      leading = on
      known = null
      moved.clear()
      movedBefore = on
      if (on) soon()
    },
    settled: settle,
    lacks: (): string[] => {
      if (!leading) return []
      if (!plugin.connected()) return ['accounts: the external broker is not connected']
      return problem === null ? [] : [`accounts: ${problem}`]
    },
    close: async () => {
      clearInterval(looking)
      clearTimeout(timer)
      await running
      for (const one of heard) await one.unlisten()
      await plugin.close()
    },
  }
}
