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
  /** In ms since 1970. Terminals whose template is younger have other slots by now. */
  readonly madeAt: number
  /** By terminal, then by slot. */
  readonly terminals: ReadonlyMap<number, readonly (VariableScale | undefined)[]>
}
/** `offset`: what is taken off its timestamps (schema/monitor/clock.ts). */
export type Gateway = {
  offset: number
  readonly plans: Map<number, KnownPlan>
  usedAt: number
  slots: number
}

/** Slots in memory; when there are more, the gateways that were silent for longest are forgotten. */
const SLOTS_MAX = 2_000_000
const SKEWS_MAX = 200_000
/** Questions of this time are asked together: after a restart of the broker all gateways come at once. */
const GATHER_MS = 5
const RETRY_MS = 500
/** A revision that does not exist is not asked for again at once. */
const UNKNOWN_MS = 5_000
const UNKNOWN_MAX = 10_000

type Asked = { deviceId: number; revision: number; answer: ((plan: KnownPlan | null) => void)[] }
type Row = { deviceId: number; revision: number; offset: number; scales: PlanScales | null; madeAt: number }

const bySlot = (scales: readonly VariableScale[]) => {
  const slots: (VariableScale | undefined)[] = []
  for (const scale of scales) slots[scale.slot] = scale
  return slots
}

export function openPlans(sql: () => Sql, log: { warn(facts: object, text: string): void }) {
  const gateways = new Map<number, Gateway>()
  /** What hello measured since this broker began, of gateways whose clock is off. */
  const skews = new Map<number, number | null>()
  const unknown = new Map<string, number>()
  /** Terminals with the same template share one list. */
  const shared = new Map<string, (VariableScale | undefined)[]>()
  let slots = 0
  let asked = new Map<string, Asked>()

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
      unknown.set(`${row.deviceId} ${row.revision}`, performance.now() + UNKNOWN_MS)
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

  /** Until the database answers: nothing that waits for it is acknowledged. */
  async function ask(): Promise<void> {
    await sleep(GATHER_MS)
    const wanted = [...asked.values()]
    asked = new Map()
    for (let attempt = 0; ; attempt++) {
      try {
        const rows = new Map((await read(wanted)).map((row) => [`${row.deviceId} ${row.revision}`, row]))
        for (const one of wanted) {
          const row = rows.get(`${one.deviceId} ${one.revision}`)
          const plan = row ? take(row) : null
          for (const answer of one.answer) answer(plan)
        }
        return
      } catch (error) {
        if (attempt === 0) log.warn({ err: error, plans: wanted.length }, 'plans of gateways: reports wait')
        await sleep(RETRY_MS)
      }
    }
  }

  return {
    /** Calls back at once when the plan is known. null: there is no such revision. */
    find: (deviceId: number, revision: number, then: (plan: KnownPlan | null) => void): void => {
      const gateway = gateways.get(deviceId)
      const known = gateway?.plans.get(revision)
      if (gateway && known) {
        gateway.usedAt = performance.now()
        then(known)
        return
      }
      const key = `${deviceId} ${revision}`
      if ((unknown.get(key) ?? 0) > performance.now()) {
        then(null)
        return
      }
      const waiting = asked.get(key)
      if (waiting) {
        waiting.answer.push(then)
        return
      }
      asked.set(key, { deviceId, revision, answer: [then] })
      if (asked.size === 1) void ask()
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
