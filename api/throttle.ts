/** Login throttling, counted in Postgres so that every api process counts the same. */
import type { Context } from '#infra/context'
import { refuse } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'

/** Failures allowed within the window before a pause; per name and address, per address, and per name from anywhere. */
const limits = { pair: 5, address: 50, name: 100 } as const
const WINDOW_S = 900
const PAUSE_S = 30

const keys = (name: string, ip: string) => ({
  pair: `pair:${name.slice(0, 254)}|${ip}`,
  address: `ip:${ip}`,
  name: `name:${name.slice(0, 254)}`,
})

/** @throws Refusal tooManyAttempts with the seconds left. The answer is the same for names that do not exist. */
export async function refuseThrottled(sql: Context['sql'], name: string, ip: string): Promise<void> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select ceil(extract(epoch from max(blocked_until) - now()))::int as seconds from login_attempts
    where key in ${sql(Object.values(keys(name, ip)))} and blocked_until > now()`
  if (row?.seconds) refuse(refusals.tooManyAttempts, { seconds: row.seconds })
}

export async function countFailure(sql: Context['sql'], name: string, ip: string): Promise<void> {
  for (const [kind, key] of Object.entries(keys(name, ip)) as [keyof typeof limits, string][]) {
    // From the limit on every further failure doubles the pause, up to the window itself.
    await sql`
      insert into login_attempts as a (key, failures, first_at) values (${key}, 1, now())
      on conflict (key) do update set
        failures = case when a.first_at < now() - ${WINDOW_S} * interval '1 second' then 1 else a.failures + 1 end,
        first_at = case when a.first_at < now() - ${WINDOW_S} * interval '1 second' then now() else a.first_at end,
        blocked_until = case when a.first_at >= now() - ${WINDOW_S} * interval '1 second' and a.failures + 1 >= ${limits[kind]}
          then now() + least(${WINDOW_S}, ${PAUSE_S} * power(2, least(10, a.failures + 1 - ${limits[kind]}))) * interval '1 second' end`
  }
}

export async function forgetFailures(sql: Context['sql'], name: string, ip: string): Promise<void> {
  await sql`delete from login_attempts where key = ${keys(name, ip).pair}`
}

/** More than wait at once behind any NAT; each costs 30 ms. */
const LINE_MAX = 100
const lines = new Map<string, { last: Promise<unknown>; length: number }>()

/**
 * Password checks of one address run one after the other: of a thousand sent at once each would find the counters
 * as they were before the first had failed.
 * @throws Refusal tooManyAttempts when too many wait already.
 */
export async function inTurn<T>(ip: string, check: () => Promise<T>): Promise<T> {
  const line = lines.get(ip) ?? { last: Promise.resolve(), length: 0 }
  if (line.length >= LINE_MAX) refuse(refusals.tooManyAttempts, { seconds: 1 })
  const mine = line.last.then(check)
  // The next one starts whatever became of this one.
  line.last = mine.catch(() => undefined)
  line.length++
  lines.set(ip, line)
  try {
    return await mine
  } finally {
    if (--line.length === 0) lines.delete(ip)
  }
}
