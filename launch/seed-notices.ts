/**
 * Two notices about variables of the demonstration, and the alarms that they would have had: judged from the stored values by the rules
 * for received ones. An alarm that still lasts is left to the workers, which open it with the first new value.
 */
import type { Transaction } from '#infra/postgres'
import { sayIn } from '#infra/say'
import { FLAP_WINDOW_MS } from '#schema/alarm/alarm'
import { textsOf } from '#schema/alarm/alarm-text'
import { DEFAULT_LANGUAGE } from '#schema/kit/refusal'
import { acrelAdw300 } from '#schema/monitor/library/chinese-meters'
import { xyMd02 } from '#schema/monitor/library/climate'
import { type AlarmCondition, isOver, isTrue, type Limits } from '#schema/monitor/notice/variable-condition'
import { demoNames } from './demo-names.ts'

type Sql = Transaction

const say = sayIn(DEFAULT_LANGUAGE)

/** `forS`: the condition must last this long [s]. */
const notices = [
  { template: acrelAdw300, key: 'power', severity: 'warning', low: 4_900, recoverAt: 4_700, forS: 60 },
  { template: xyMd02, key: 'temperature', severity: 'major', low: 25.5, recoverAt: 25, forS: 60 },
] as const
type Notice = (typeof notices)[number]

type Sample = { atMs: number; value: number }
/** The value is that at which the condition had lasted long enough. */
type Episode = { fromMs: number; openedMs: number; toMs: number; value: number; times: number }

/** Ended episodes; one that returns soon after its end is the same alarm once more. */
export function episodesOf(samples: readonly Sample[], limits: Limits, forMs: number): Episode[] {
  const episodes: Episode[] = []
  let fromMs: number | null = null
  let opened: Sample | null = null
  for (const { atMs, value } of samples) {
    if (fromMs === null && isTrue(limits, value)) fromMs = atMs
    if (fromMs === null) continue
    if (opened === null && isTrue(limits, value) && atMs - fromMs >= forMs) opened = { atMs, value }
    if (!isOver(limits, value)) continue
    if (opened) {
      const last = episodes.at(-1)
      const ended = { openedMs: opened.atMs, toMs: atMs, value: opened.value }
      if (last && opened.atMs - last.toMs < FLAP_WINDOW_MS)
        episodes[episodes.length - 1] = { ...ended, fromMs: last.fromMs, times: last.times + 1 }
      else episodes.push({ ...ended, fromMs, times: 1 })
    }
    fromMs = null
    opened = null
  }
  return episodes
}

type Watched = {
  variableId: number
  name: string
  unit: string
  slot: number
  digits: number
  terminalId: number
}

async function addRule(
  sql: Sql,
  customerId: number,
  notice: Notice,
  { variableId, name, unit }: Watched,
): Promise<number> {
  const { severity, low, recoverAt, forS } = notice
  const texts = textsOf('variable', say)
  const [rule] = await sql<{ id: number }[]>`
    insert into alarm_rules ${sql({
      customer_id: customerId,
      name: demoNames.tooHigh(name),
      kind: 'variable',
      severity,
      for_seconds: forS,
      scope: 'customer',
      time_zone: 'Asia/Shanghai',
      language: DEFAULT_LANGUAGE,
      alert_text: texts.alert,
      recovery_text: texts.recovery,
    })} returning id`
  const ruleId = rule?.id ?? 0
  await sql`
    insert into alarm_conditions ${sql({
      rule_id: ruleId,
      variable_id: variableId,
      variable_name: name,
      unit,
      operator: 'gt',
      low,
      recover_at: recoverAt,
    })}`
  await sql`
    insert into alarm_rule_contacts (rule_id, contact_id) select ${ruleId}, id from contacts where customer_id = ${customerId}`
  return ruleId
}

async function addAlarms(
  sql: Sql,
  ruleId: number,
  { low, recoverAt, forS }: Notice,
  watched: Watched,
): Promise<void> {
  const { terminalId, slot, variableId, name, unit, digits } = watched
  const samples = await sql<Sample[]>`
    select (extract(epoch from r.at) * 1000)::float8 as "atMs", u.val as value
    from variable_reports r cross join lateral unnest(r.slots, r.vals) as u(slot, val)
    where r.terminal_id = ${terminalId} and u.slot = ${slot} and u.val is not null order by r.at`
  const limits = { operator: 'gt', low, recoverAt, high: null, hysteresis: null, bit: null } as const
  const condition: AlarmCondition = {
    ...{ operator: 'gt', low, unit, forS },
    ...{ high: null, bit: null, withinS: null, minutes: null, formula: null },
  }
  const rows = episodesOf(samples, limits, forS * 1_000).map((episode) => ({
    ...episode,
    detail: `${episode.value.toFixed(digits)} ${unit}`,
  }))
  await sql`
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, subject, value,
      threshold, detail, started_at, last_at, ended_at, end_reason, times, terminal_id, variable_id, terminal_name, variable_name, condition,
      notified, notified_at)
    select r.customer_id, r.id, r.name, r.kind, r.severity, d.id, d.sn, d.name, g.id, g.name, t.id || '/' || ${variableId}::int, e.value,
      ${low}::real, e.detail, to_timestamp(e."fromMs" / 1000), to_timestamp(e."openedMs" / 1000), to_timestamp(e."toMs" / 1000), 'recovered',
      e.times, t.id, ${variableId}, t.name, ${name}, ${sql.json(condition)}, 'all', to_timestamp(e."toMs" / 1000)
    from jsonb_to_recordset(${sql.json(rows)}) as e("fromMs" float8, "openedMs" float8, "toMs" float8, value real, times integer, detail text),
      alarm_rules r, terminals t join devices d on d.id = t.device_id join groups g on g.id = d.group_id
    where r.id = ${ruleId} and t.id = ${terminalId}`
}

/** After `seedMonitor`, whose values they judge; without terminals there are none. */
export async function seedNotices(sql: Sql, customerId: number): Promise<void> {
  for (const notice of notices) {
    const { key, variables } = notice.template
    const slot = variables.findIndex((variable) => variable.key === notice.key)
    const [watched] = await sql<Watched[]>`
      select v.id as "variableId", v.name, v.unit, v.slot, v.precision as digits, t.id as "terminalId"
      from collection_templates c join variables v on v.template_id = c.id join terminals t on t.template_id = c.id
      where c.customer_id = ${customerId} and c.library_key = ${key} and v.slot = ${slot}
      order by t.id limit 1`
    if (!watched) continue
    await addAlarms(sql, await addRule(sql, customerId, notice, watched), notice, watched)
  }
}
