/** The database queries of value streams: which variables a user may see, and what has changed. */
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import type { SlaveState } from '#schema/monitor/fields'
import { devices } from '#schema/tables/device'
import type { Actor } from '../kit/actor.ts'
import { visible } from '../kit/scope.ts'
import { staleAfterS } from './variable-values.ts'

export type Pair = { terminalId: number; variableId: number }
/** `place`: the terminal's owner and how it is read. As long as it is unchanged, so is who may see it. */
export type Watched = Pair & { slot: number; staleMs: number; place: string }

const place = sql`concat_ws('/', "devices".customer_id, "devices".group_id, "devices".deleted_at is null, t.template_id, t.hidden)`

/** The pairs that the actor may see and that are collected. */
export async function readWatched(
  db: Context['db'],
  actor: Actor,
  pairs: readonly Pair[],
): Promise<Watched[]> {
  const rows = await db.execute<Watched>(sql`
    select distinct t.id as "terminalId", v.id as "variableId", v.slot, ${staleAfterS} * 1000 as "staleMs", ${place} as place
    from unnest(${sql.param(pairs.map((one) => one.terminalId))}::int[],
        ${sql.param(pairs.map((one) => one.variableId))}::int[]) as asked(terminal_id, variable_id)
      join terminals t on t.id = asked.terminal_id join ${devices} on ${devices.id} = t.device_id
      join variables v on v.id = asked.variable_id and v.template_id = t.template_id
    where ${visible(actor).devices} and ${visible(actor).variables(sql`t.id`, sql`v.id`)} and not t.hidden and not v.hidden`)
  return [...rows]
}

/** Arrays by slot, as in `terminal_latest`; `place` null: it was deleted. */
export type Changed = {
  terminalId: number
  sign: string
  place: string | null
  online: boolean
  slave: SlaveState | null
  at: (number | null)[] | null
  vals: (number | null)[] | null
  quality: (number | null)[] | null
  texts: (string | null)[] | null
  goodAt: (number | null)[] | null
  goodVals: (number | null)[] | null
}

/**
 * The terminals that have changed since the given version. One statement for all streams of the process; unchanged rows
 * are recognized by the id of the transaction that wrote them, and not returned. Arrays as JSON: postgres.js reads null
 * inside an array as NaN, or as the text NULL.
 */
export async function readChanged(
  db: Context['db'],
  known: ReadonlyMap<number, { sign: string }>,
): Promise<Changed[]> {
  const rows = await db.execute<Changed>(sql`
    select w.id as "terminalId", now.sign, now.place, now.online, ts.state as slave,
      array_to_json(l.at) as at, array_to_json(l.vals) as vals, array_to_json(l.quality) as quality,
      array_to_json(l.texts) as texts, array_to_json(l.good_at) as "goodAt", array_to_json(l.good_vals) as "goodVals"
    from unnest(${sql.param([...known.keys()])}::int[], ${sql.param([...known.values()].map((one) => one.sign))}::text[]) as w(id, sign)
      left join terminals t on t.id = w.id
      left join "devices" on "devices".id = t.device_id
      left join device_states ds on ds.device_id = t.device_id
      left join terminal_states ts on ts.terminal_id = t.id
      left join terminal_latest l on l.terminal_id = t.id
      -- Values of a foreign source do not depend on whether the gateway is there.
      left join south_terminals z on z.terminal_id = t.id,
      lateral (select case when t.id is not null then ${place} end as place,
        coalesce(ds.online, false) or z.terminal_id is not null as online) here,
      lateral (select here.*, concat_ws('|', l.xmin, here.online, ts.state, here.place) as sign) now
    where now.sign <> w.sign`)
  return [...rows]
}

/**
 * Returns which logins of streams have ended. A login is the id of a session, or `token` or `kiosk` with the id of an
 * API token or a kiosk link. Disabling a user ends their sessions; their tokens and links are not revoked, but admit nobody meanwhile.
 */
export async function readEnded(
  db: Context['db'],
  logins: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const numberOf = (what: string) =>
    sql`case when login like ${`${what} %`} then substr(login, ${what.length + 2}::int)::int end`
  const enabled = (user: SQL) => sql`exists (select 1 from users u where u.id = ${user} and u.status = 1)`
  const rows = await db.execute<{ login: string }>(sql`
    select login from unnest(${sql.param([...logins])}::text[]) as login
      left join sessions s on s.id = case when login not like '% %' then login::uuid end
        and s.ended_at is null and s.expires_at > now()
      left join api_tokens t on t.id = ${numberOf('token')} and t.revoked_at is null and t.expires_at > now()
        and ${enabled(sql`t.user_id`)}
      left join kiosk_links k on k.id = ${numberOf('kiosk')} and k.revoked_at is null and k.expires_at > now()
        and ${enabled(sql`k.user_id`)}
    where s.id is null and t.id is null and k.id is null`)
  return new Set(rows.map(({ login }) => login))
}
