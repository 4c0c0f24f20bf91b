/**
 * Rules about variables, evaluated with their newest values. A gateway that is offline, or a slave that does not
 * respond, suppresses its variables: no alarm begins or ends, and open alarms say since when their value is unknown.
 * Only values of sufficient quality count; bad ones neither begin nor end anything (schema/monitor/notice/variable-condition).
 */

import { hasValue, qualities, qualityCode } from '#schema/monitor/fields'
import { HEARTBEAT_S } from '#schema/monitor/notice/condition-fit'
import { inOrder, type Statement } from '#workers/kit/in-order'
import type { Transaction } from '#workers/kit/processor'
import { judgeFormulas } from '../judge-formulas.ts'
import { covers, type Look, observes } from '../observer.ts'
import { asReal, qualityName, shown, unitNow } from '../variable-columns.ts'
import { clearTruths, gatherTruths, observeExcursions } from '../variable-truths.ts'

const good = qualities.filter(hasValue).map(qualityCode)
/** Suppressed because their slave does not respond: one alarm reports that. */
const silent = (['slaveOffline', 'noPath'] as const).map(qualityCode)
/** After a gateway or a slave has come back, it gets two cycles, and at least this long, before old values count. */
const GRACE_S = 120

/** Each variable of each terminal under each enabled rule, with its current state. */
export const gatherWatched = (tx: Transaction, onlyTurned: boolean): Statement[] => [
  tx`
    create temporary table if not exists watched (rule_id int, device_id int, terminal_id int, slot int, subject text, operator text,
      low float8, high float8, recover_at float8, hysteresis float8, bit int, within_s int, minutes int, unit text, digits int,
      cycle_s int, on_change boolean, unknown text, known_since timestamptz, watched_since timestamptz,
      at timestamptz, value float8, quality int, good_at timestamptz, rule_at timestamptz, template_since timestamptz, for_s int,
      truth boolean, truth_at timestamptz, formula_holds boolean) on commit delete rows`,
  tx`
    insert into watched
    select r.id, d.id, t.id, v.slot, t.id || '/' || v.id, c.operator, c.low, c.high, c.recover_at, c.hysteresis, c.bit, c.within_s,
      c.minutes, ${unitNow(tx)}, v.precision, v.cycle_s, v.report_type = 'change',
      case when z.terminal_id is not null then null when not coalesce(s.online, false) then 'gatewayOffline'
        when x.state <> 'answering' then 'terminalSilent' end,
      case when z.terminal_id is null then greatest(s.online_changed_at, x.since) else z.linked_at end,
      greatest(t.template_since, r.updated_at, case when z.terminal_id is null then greatest(p.created_at, o.stale_since) end),
      to_timestamp(l.at[v.slot + 1] / 1000.0), l.vals[v.slot + 1], coalesce(l.quality[v.slot + 1], 0),
      to_timestamp(case when l.good_at is null then l.at[v.slot + 1] else l.good_at[v.slot + 1] end / 1000.0),
      r.updated_at, t.template_since, r.for_seconds
    from alarm_rules r join alarm_conditions c on c.rule_id = r.id join variables v on v.id = c.variable_id and not v.hidden
      join terminals t on t.template_id = v.template_id and not t.hidden and (r.scope <> 'devices'
        or exists (select 1 from alarm_rule_terminals y where y.rule_id = r.id and y.terminal_id = t.id))
      join devices d on d.id = t.device_id and ${covers(tx)}
      left join device_states s on s.device_id = d.id left join terminal_states x on x.terminal_id = t.id
      left join terminal_latest l on l.terminal_id = t.id
      -- Values of a foreign source do not depend on whether the gateway is there.
      left join south_terminals z on z.terminal_id = t.id
      -- What was hidden, or read in another way, has been silent until it is polled by the present plan.
      left join collection_states o on o.device_id = d.id
      left join poll_plans p on p.device_id = o.device_id and p.revision = o.revision
    where r.enabled and r.kind = 'variable' ${
      onlyTurned
        ? tx`and (r.id, t.id) in (select rule_id, terminal_id from variable_truths where not seen)`
        : tx``
    }`,
  // For a few rows, planning the statements again would take longer than running them.
  ...(onlyTurned ? [] : [tx`analyze watched`]),
]

/**
 * The terminal was hidden, moved or given another template, or is no longer among those chosen. Behind another gateway it has an
 * alarm there: what is observed of it would never end one of the former gateway.
 */
const endUnwatched = (tx: Transaction, at: Date) => tx`
  update alarms a set ended_at = ${at}, end_reason = 'uncovered', notified = 'all', held = false
  where a.kind = 'variable' and a.ended_at is null
    and not exists (select 1 from watched w where w.rule_id = a.rule_id and w.device_id = a.device_id and w.subject = a.subject)`

const markUnknown = (tx: Transaction, at: Date) => tx`
  update alarms a set unknown_why = w.unknown,
    unknown_since = case when w.unknown is not null then coalesce(least(w.known_since, ${at}), ${at}) end
  from watched w where w.rule_id = a.rule_id and w.device_id = a.device_id and w.subject = a.subject and a.ended_at is null
    and a.unknown_why is distinct from w.unknown`

const holds = (tx: Transaction) => tx`
  case w.operator when 'gt' then w.value > w.low when 'ge' then w.value >= w.low when 'lt' then w.value < w.low
    when 'le' then w.value <= w.low when 'eq' then w.value = w.low when 'ne' then w.value <> w.low
    when 'between' then w.value between w.low and w.high when 'outside' then w.value not between w.low and w.high
    when 'formula' then w.formula_holds
    when 'bitOn' then abs(w.value) < 9e15 and (trunc(w.value)::bigint >> w.bit) & 1 = 1
    when 'bitOff' then abs(w.value) < 9e15 and (trunc(w.value)::bigint >> w.bit) & 1 = 0 end`

const isPast = (tx: Transaction) => tx`
  case when w.operator in ('gt', 'ge') then w.value <= coalesce(w.recover_at, w.value)
    when w.operator in ('lt', 'le') then w.value >= coalesce(w.recover_at, w.value)
    when w.operator = 'between' then w.value < w.low - coalesce(w.hysteresis, 0) or w.value > w.high + coalesce(w.hysteresis, 0)
    when w.operator = 'outside' then w.value between w.low + coalesce(w.hysteresis, 0) and w.high - coalesce(w.hysteresis, 0)
    else true end`

/**
 * A value reported on change is valid until the next one, which comes within the heartbeat; others until they are
 * stale.
 */
const isCurrent = (tx: Transaction, at: Date) => tx`
  w.unknown is null and (w.value is not null or w.operator = 'formula') and w.quality = any(${good}::int[])
  and w.at > ${at}::timestamptz - make_interval(secs => 2.5 * case when w.on_change then greatest(${HEARTBEAT_S}::int, w.cycle_s)
    else greatest(w.cycle_s, ${GRACE_S / 2}::int) end)
  and (w.known_since is null or w.at >= w.known_since
    or ${at}::timestamptz >= w.known_since + make_interval(secs => greatest(${GRACE_S}::int, 2 * w.cycle_s)))`

const openOf = (tx: Transaction) =>
  tx`exists (select 1 from alarms a where a.rule_id = w.rule_id and a.subject = w.subject and a.ended_at is null)`

/**
 * Within the hysteresis a value counts as beyond if the previous one did. A change recorded by the broker gives the
 * time.
 */
const observeValues = (tx: Transaction, at: Date) => tx`
  insert into observed (rule_id, device_id, subject, beyond, value, detail, since)
  select w.rule_id, w.device_id, w.subject, w.beyond, ${asReal(tx, 'w.value')}, ${shown(tx, 'w.value')},
    case when w.truth = w.beyond and w.truth_at <= w.at then w.truth_at else w.at end
  from (select w.*, ${holds(tx)} or (coalesce(w.truth, false) and not ${isPast(tx)}) as beyond from watched w
    where w.operator not in ('change', 'noData', 'bad') and ${isCurrent(tx, at)}) w
  where w.beyond or (not w.beyond and ${isPast(tx)} and ${openOf(tx)})`

/**
 * A bad value neither ends nor proves a condition: its duration continues to count, and the next good value may open
 * the alarm.
 */
const observeDoubtful = (tx: Transaction) => tx`
  insert into observed (rule_id, device_id, subject)
  select w.rule_id, w.device_id, w.subject from watched w
  where w.operator not in ('change', 'noData', 'bad') and w.unknown is null and not w.quality = any(${good}::int[])
    and exists (select 1 from alarm_pendings p where p.rule_id = w.rule_id and p.device_id = w.device_id and p.subject = w.subject)`

/** By halves: a difference that no number holds would be an error, and end the evaluation of all alarms. */
const differs = (tx: Transaction) => tx`x.most / 2 - x.least / 2 >= w.low / 2`

/** Read from the reports, so that a change between two evaluations is seen; with the previous value. */
const observeChanges = (tx: Transaction, at: Date) => tx`
  insert into observed (rule_id, device_id, subject, beyond, value, detail, since)
  select w.rule_id, w.device_id, w.subject, ${differs(tx)}, ${asReal(tx, 'w.value')},
    ${shown(tx, 'x.least')} || ' … ' || ${shown(tx, 'x.most')}, x.at
  from watched w cross join lateral (
    select max(u.val) as most, min(u.val) as least, max(r.at) as at
    from variable_reports r cross join lateral unnest(r.slots, r.vals, r.quality) as u(slot, val, quality)
    where r.terminal_id = w.terminal_id and r.at > ${at}::timestamptz - make_interval(secs => w.within_s)
        - make_interval(secs => case when w.on_change then ${HEARTBEAT_S}::int else 2 * w.cycle_s end)
      and r.at >= coalesce((
        select max(b.at) from variable_reports b where b.terminal_id = w.terminal_id and w.slot::smallint = any(b.slots)
          and b.at <= ${at}::timestamptz - make_interval(secs => w.within_s)
          and b.at > ${at}::timestamptz - make_interval(secs => w.within_s + ${HEARTBEAT_S}::int)), '-infinity')
      and u.slot = w.slot and u.val is not null and coalesce(u.quality, 0) = any(${good}::int[])) x
  where w.operator = 'change' and w.unknown is null and x.most is not null
    and (${differs(tx)} or ${openOf(tx)})`

const observeSilence = (tx: Transaction, at: Date) => tx`
  insert into observed (rule_id, device_id, subject, beyond, since)
  select w.rule_id, w.device_id, w.subject, w.due <= ${at}, w.due
  from (select w.*, greatest(w.good_at, w.known_since, w.watched_since) + make_interval(mins => w.minutes) as due from watched w
    where w.operator = 'noData' and w.unknown is null) w
  where w.due <= ${at} or (w.good_at > ${at}::timestamptz - make_interval(mins => w.minutes) and ${openOf(tx)})`

const observeQuality = (tx: Transaction) => tx`
  insert into observed (rule_id, device_id, subject, beyond, detail, since)
  select w.rule_id, w.device_id, w.subject, not w.quality = any(${good}::int[]),
    ${qualityName(tx, 'w.quality')}, case when w.truth = not w.quality = any(${good}::int[]) and w.truth_at <= w.at then w.truth_at else w.at end
  from watched w where w.operator = 'bad' and w.unknown is null and not w.quality = any(${silent}::int[])
    and (not w.quality = any(${good}::int[]) or ${openOf(tx)})`

/** Fills `observed` from the gathered ones, with the result of their formulas. */
export const observeWatched = (tx: Transaction, at: Date, onlyTurned: boolean): Statement[] => [
  ...gatherTruths(tx, at, GRACE_S),
  ...(onlyTurned ? [] : [endUnwatched(tx, at)]),
  markUnknown(tx, at),
  observeValues(tx, at),
  observeDoubtful(tx),
  observeChanges(tx, at),
  observeSilence(tx, at),
  observeQuality(tx),
  ...observeExcursions(tx),
  ...clearTruths(tx, onlyTurned),
]

async function observeVariables({ tx, at }: Look): Promise<void> {
  await inOrder(...gatherWatched(tx, false))
  await judgeFormulas(tx, at)
  await inOrder(...observeWatched(tx, at, false))
}

export const variableObserver = observes('variable', observeVariables)
