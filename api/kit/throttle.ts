/** Throttles guessing, counted in Postgres so that all api processes share the count. */

import type { Context } from '#infra/context'
import { networkOf } from '#schema/kit/address'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'

/**
 * Failures within the window before a pause: `person` from the parameter; per address, and per name from any address.
 * The last one can be caused by a stranger: it pauses the name everywhere (docs/operations.md), but without it an
 * attacker with many addresses would have no limit.
 */
const limits = { address: 50, name: 100 } as const
const WINDOW_S = 900
/** What was counted this much later than now was counted before the clock was set back [decisions/061]. */
const CLOCK_S = 60

export type Counter = { key: string; limit: keyof typeof limits | 'person' }

/** A password for a name. IPv6 addresses are counted by network. */
export function byName(name: string, ip: string): Counter[] {
  const network = networkOf(ip)
  return [
    { key: `pair:${name.slice(0, 254)}|${network}`, limit: 'person' },
    { key: `ip:${network}`, limit: 'address' },
    { key: `name:${name.slice(0, 254)}`, limit: 'name' },
  ]
}
/** A code from a user who knows the password: counted for all addresses. */
export const byUser = (what: string, userId: number): Counter[] => [
  { key: `${what}:${userId}`, limit: 'person' },
]

type Caller = Pick<Context, 'sql' | 'parameters'>

/** @throws Refusal tooManyAttempts with the seconds left. The response is the same for names that do not exist. */
export async function refuseThrottled({ sql }: Caller, counters: readonly Counter[]): Promise<void> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select ceil(extract(epoch from max(blocked_until) - now()))::int as seconds from login_attempts
    where key in ${sql(counters.map(({ key }) => key))} and blocked_until > now()
      -- A pause that ends later was written before the clock was set back.
      and blocked_until < now() + ${WINDOW_S + CLOCK_S} * interval '1 second'`
  if (row?.seconds) refuse(sessionRefusals.tooManyAttempts, { seconds: row.seconds })
}

export async function countFailure(ctx: Caller, counters: readonly Counter[]): Promise<void> {
  const { sql } = ctx
  const person = await ctx.parameters.get('loginFailures')
  const pauseS = await ctx.parameters.get('loginPauseS')
  const counts = sql`a.first_at between now() - ${WINDOW_S} * interval '1 second' and now() + ${CLOCK_S} * interval '1 second'`
  for (const { key, limit } of counters) {
    const most = limit === 'person' ? person : limits[limit]
    // From the limit on every further failure doubles the pause, up to the window itself.
    await sql`
      insert into login_attempts as a (key, failures, first_at) values (${key}, 1, now())
      on conflict (key) do update set
        failures = case when ${counts} then a.failures + 1 else 1 end,
        first_at = case when ${counts} then a.first_at else now() end,
        blocked_until = case when ${counts} and a.failures + 1 >= ${most}
          then now() + least(${WINDOW_S}, ${pauseS} * power(2, least(10, a.failures + 1 - ${most}))) * interval '1 second' end`
  }
}

/** Clears only the counters of this person; a successful login does not clear those of addresses and names. */
export async function forgetFailures({ sql }: Caller, counters: readonly Counter[]): Promise<void> {
  const own = counters.filter(({ limit }) => limit === 'person').map(({ key }) => key)
  await sql`delete from login_attempts where key in ${sql(own)}`
}

/** Higher than the number that realistically waits at the same time behind one NAT; each check takes 30 ms. */
const LINE_MAX = 100
const lines = new Map<string, { last: Promise<unknown>; length: number }>()

/**
 * Password checks of one address run one after the other: otherwise a thousand simultaneous ones would all read the
 * counters before the first had failed. @throws Refusal tooManyAttempts if too many wait already.
 */
export async function inTurn<T>(address: string, check: () => Promise<T>): Promise<T> {
  const ip = networkOf(address)
  const line = lines.get(ip) ?? { last: Promise.resolve(), length: 0 }
  if (line.length >= LINE_MAX) refuse(sessionRefusals.tooManyAttempts, { seconds: 1 })
  const mine = line.last.then(check)
  // The next one starts whatever the result of this one.
  line.last = mine.catch(() => undefined)
  line.length++
  lines.set(ip, line)
  try {
    return await mine
  } finally {
    if (--line.length === 0) lines.delete(ip)
  }
}
