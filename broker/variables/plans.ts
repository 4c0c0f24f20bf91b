/** The plans that reports refer to, in memory: which slots a terminal has, and how each is scaled. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '#infra/postgres'
import { clockOffset } from '#schema/monitor/clock'
import type { PlanScales, VariableScale } from '#schema/monitor/scale'

/** A revision of one gateway's plan. */
export type KnownPlan = {
  readonly deviceId: number
  readonly gateway: Gateway
  readonly revision: number
  /** When the plan was made, in ms since 1970. Terminals whose template is newer have other slots by now. */
  readonly madeAt: number
  /** By terminal, then by slot. */
  readonly terminals: ReadonlyMap<number, readonly (VariableScale | undefined)[]>
}
/** `offset`: subtracted from its timestamps (schema/monitor/clock.ts). */
export type Gateway = {
  offset: number
  readonly plans: Map<number, KnownPlan>
  usedAt: number
  slots: number
}

/** Maximum number of slots in memory; beyond it, the gateways that were silent longest are evicted. */
const SLOTS_MAX = 2_000_000
const SKEWS_MAX = 200_000
/** Lookups within this time are combined into one query: after a restart of the broker all gateways report at once. */
const GATHER_MS = 5
const RETRY_MS = 500
/** How long a revision that does not exist is not looked up again. */
const UNKNOWN_MS = 5_000
const UNKNOWN_MAX = 10_000

type Asked = { deviceId: number; revision: number }
type Waiting = { revision: number; then: (plan: KnownPlan | null) => void }
type Row = { deviceId: number; revision: number; offset: number; scales: PlanScales | null; madeAt: number }

const bySlot = (scales: readonly VariableScale[]) => {
  const slots: (VariableScale | undefined)[] = []
  for (const scale of scales) slots[scale.slot] = scale
  return slots
}

export function openPlans(sql: () => Sql, log: { warn(facts: object, text: string): void }) {
  const gateways = new Map<number, Gateway>()
  /** Clock offsets measured by hello since this broker started, of gateways whose clock is wrong. */
  const skews = new Map<number, number | null>()
  const unknown = new Map<string, number>()
  /** Terminals with the same template share one list. */
  const shared = new Map<string, (VariableScale | undefined)[]>()
  let slots = 0
  let toAsk: Asked[] = []
  /** Pending lookups: those of `toAsk`, and those whose query is running. */
  const asking = new Set<string>()
  /** By gateway: its reports in the order of their arrival, the first of which waits for its plan. */
  const waiting = new Map<number, Waiting[]>()

  const keyOf = ({ deviceId, revision }: Asked) => `${deviceId} ${revision}`

  function slotsOf(scales: readonly VariableScale[]): (VariableScale | undefined)[] {
    const key = JSON.stringify(scales)
    const made = shared.get(key) ?? bySlot(scales)
    shared.set(key, made)
    return made
  }

  function forgetSome(): void {
    const oldest = [...gateways].sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [id, gateway] of oldest) {
      if (slots <= SLOTS_MAX / 2) break
      gateways.delete(id)
      slots -= gateway.slots
    }
    shared.clear()
  }

  function take(row: Row): KnownPlan | null {
    if (!row.scales) {
      if (unknown.size > UNKNOWN_MAX) unknown.clear()
      unknown.set(keyOf(row), performance.now() + UNKNOWN_MS)
      return null
    }
    const terminals = new Map(Object.entries(row.scales).map(([id, scales]) => [Number(id), slotsOf(scales)]))
    const gateway: Gateway = gateways.get(row.deviceId) ?? {
      offset: clockOffset(row.offset, skews.get(row.deviceId) ?? null),
      plans: new Map(),
      usedAt: 0,
      slots: 0,
    }
    gateways.set(row.deviceId, gateway)
    const { deviceId, revision, madeAt } = row
    const plan = { deviceId, gateway, revision, madeAt, terminals }
    gateway.plans.set(revision, plan)
    gateway.usedAt = performance.now()
    for (const list of terminals.values()) {
      gateway.slots += list.length
      slots += list.length
    }
    if (slots > SLOTS_MAX) forgetSome()
    return plan
  }

  const read = (wanted: readonly Asked[]) => sql()<Row[]>`
    select x.device_id as "deviceId", x.revision, coalesce(c.clock_offset_ms, 0) as "offset", p.scales,
      (extract(epoch from p.created_at) * 1000)::float8 as "madeAt"
    from unnest(${wanted.map(({ deviceId }) => deviceId)}::int[], ${wanted.map(({ revision }) => revision)}::int[])
      as x(device_id, revision)
    left join collection_states c on c.device_id = x.device_id
    left join poll_plans p on p.device_id = x.device_id and p.revision = x.revision`

  /** undefined: the database must be asked. */
  function known({ deviceId, revision }: Asked): KnownPlan | null | undefined {
    const gateway = gateways.get(deviceId)
    const plan = gateway?.plans.get(revision)
    if (!gateway || !plan)
      return (unknown.get(keyOf({ deviceId, revision })) ?? 0) > performance.now() ? null : undefined
    gateway.usedAt = performance.now()
    return plan
  }

  function request(one: Asked): void {
    const key = keyOf(one)
    if (asking.has(key)) return
    asking.add(key)
    toAsk.push(one)
    if (toAsk.length === 1) void ask()
  }

  /** Calls back those at the head whose plans are known. */
  function serve(deviceId: number): void {
    const queue = waiting.get(deviceId) ?? []
    let served = 0
    for (const { revision, then } of queue) {
      const plan = known({ deviceId, revision })
      if (plan === undefined) {
        request({ deviceId, revision })
        break
      }
      served += 1
      then(plan)
    }
    if (served < queue.length) queue.splice(0, served)
    else waiting.delete(deviceId)
  }

  /** Until the database answers: nothing that waits for it is acknowledged. */
  async function readPatiently(wanted: readonly Asked[]): Promise<Row[]> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await read(wanted)
      } catch (error) {
        if (attempt === 0) log.warn({ err: error, plans: wanted.length }, 'plans of gateways: reports wait')
        await sleep(RETRY_MS)
      }
    }
  }

  async function ask(): Promise<void> {
    await sleep(GATHER_MS)
    const wanted = toAsk
    toAsk = []
    for (const row of await readPatiently(wanted)) {
      asking.delete(keyOf(row))
      take(row)
      serve(row.deviceId)
    }
  }

  return {
    /**
     * Calls back at once when the plan is known, unless an earlier report of this gateway waits for another plan: reports
     * that overtook it would hide when a condition began to hold. null: there is no such revision.
     */
    find: (deviceId: number, revision: number, then: (plan: KnownPlan | null) => void): void => {
      const queue = waiting.get(deviceId)
      if (queue) {
        queue.push({ revision, then })
        // Otherwise each revision would take a separate round.
        if (known({ deviceId, revision }) === undefined) request({ deviceId, revision })
        return
      }
      const plan = known({ deviceId, revision })
      if (plan !== undefined) {
        then(plan)
        return
      }
      waiting.set(deviceId, [{ revision, then }])
      request({ deviceId, revision })
    },
    /** A hello measured the clock: device minus platform in ms; null: it has none. */
    greeted: (deviceId: number, skew: number | null): void => {
      const gateway = gateways.get(deviceId)
      if (gateway) gateway.offset = clockOffset(gateway.offset, skew)
      if (skews.size > SKEWS_MAX) skews.clear()
      skews.set(deviceId, skew)
    },
  }
}
export type Plans = ReturnType<typeof openPlans>
