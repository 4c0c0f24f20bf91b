/** Counts outgoing messages in Postgres, so that all processes share the count. By the database's clock. */
import type { ISql } from 'postgres'
import { budgetParameters, type SendPurpose } from '#schema/platform/send-budget'
import type { Parameters } from './parameters.ts'

/** The owner of a budget: `customerId` null is the platform. */
export type Spender = { customerId: number | null; purpose: SendPurpose }

const HOUR_MS = 3_600_000

/** Counted by a clock that was set back since: otherwise nothing would be refilled until that time came again. */
const ofFormerClock = (sql: ISql) => sql`b.counted_at > clock_timestamp() + interval '1 minute'`

/** What is left of `used` after refilling for the time since it was counted. */
const drained = (sql: ISql, perHour: number) => sql`
  case when ${ofFormerClock(sql)} then 0
    else greatest(0, b.used - ${perHour}::float8 / 3600 * greatest(0, extract(epoch from now() - b.counted_at))) end`

/** `now()` is the start of a transaction: after waiting for a later one it would refill again what that one has refilled. */
const countedNow = (sql: ISql) =>
  sql`case when ${ofFormerClock(sql)} then now() else greatest(b.counted_at, now()) end`

const perHourOf = (sql: ISql, parameters: Parameters, { customerId, purpose }: Spender) =>
  parameters.get(budgetParameters[purpose], customerId, sql)

const waitMs = (used: number, perHour: number) =>
  Math.max(0, Math.ceil(((used - perHour) / perHour) * HOUR_MS))

/** Time until the next message may be sent; 0: now. */
export async function budgetWaitMs(sql: ISql, parameters: Parameters, spender: Spender): Promise<number> {
  const perHour = await perHourOf(sql, parameters, spender)
  const [row] = await sql<{ used: number }[]>`
    select ${drained(sql, perHour)} as used from send_budgets b
    where b.customer_id is not distinct from ${spender.customerId}::int and b.purpose = ${spender.purpose}`
  return waitMs((row?.used ?? 0) + 1, perHour)
}

/**
 * Takes one from the budget even if it is exhausted: returns how long that message has to wait (0: not at all). For
 * messages that must not be lost; callers that can refuse or postpone check `budgetWaitMs` first, so that the backlog
 * stays short.
 */
export async function takeFromBudget(sql: ISql, parameters: Parameters, spender: Spender): Promise<number> {
  const perHour = await perHourOf(sql, parameters, spender)
  const [row] = await sql<{ used: number }[]>`
    insert into send_budgets as b (customer_id, purpose, used, counted_at)
    values (${spender.customerId}, ${spender.purpose}, 1, now())
    on conflict ((coalesce(customer_id, 0)), purpose) do update
      set used = ${drained(sql, perHour)} + 1, counted_at = ${countedNow(sql)}
    returning used`
  return waitMs(row?.used ?? 0, perHour)
}

/** Locks it until the transaction ends, without taking any: to keep the order in which transactions lock several. */
export const lockBudget = (sql: ISql, { customerId, purpose }: Spender) => sql`
  insert into send_budgets as b (customer_id, purpose, used, counted_at) values (${customerId}, ${purpose}, 0, now())
  on conflict ((coalesce(customer_id, 0)), purpose) do update set used = b.used`

/**
 * Takes one if available: returns 0, or the time until there is one. Many simultaneous callers never get more than
 * the budget.
 */
export async function takeIfLeft(sql: ISql, parameters: Parameters, spender: Spender): Promise<number> {
  const perHour = await perHourOf(sql, parameters, spender)
  const taken = await sql`
    insert into send_budgets as b (customer_id, purpose, used, counted_at)
    values (${spender.customerId}, ${spender.purpose}, 1, now())
    on conflict ((coalesce(customer_id, 0)), purpose) do update
      set used = ${drained(sql, perHour)} + 1, counted_at = ${countedNow(sql)}
      where ${drained(sql, perHour)} + 1 <= ${perHour}
    returning used`
  return taken.length > 0 ? 0 : Math.max(1, await budgetWaitMs(sql, parameters, spender))
}
