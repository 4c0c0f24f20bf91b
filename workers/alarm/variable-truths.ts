/**
 * Condition changes that the broker has recorded (`variable_truths`): since when a condition holds, and which ones
 * began and ended between two evaluations, so that the newest value no longer shows them. Changes that cannot be
 * evaluated yet, because the gateway has just reconnected, are left for later.
 */
import type { Statement } from '../kit/in-order.ts'
import type { Transaction } from '../kit/processor.ts'
import { asReal, qualityName, shown } from './variable-columns.ts'

/** For the watched variables `w`: their changes in order, and since when each condition holds. */
export const gatherTruths = (tx: Transaction, at: Date, graceS: number): Statement[] => [
  tx`
    create temporary table if not exists truths (rule_id int, terminal_id int, at timestamptz, holds boolean, value float8, quality int,
      seen boolean, until timestamptz, newest boolean, last_at timestamptz) on commit delete rows`,
  // Of consecutive equal changes the first one counts.
  tx`
    insert into truths
    select rule_id, terminal_id, at, holds, value, quality, seen,
      case when holds then lead(at) over (partition by rule_id, terminal_id order by at) end, false, last_at
    from (
      select x.*, max(x.at) over (partition by x.rule_id, x.terminal_id) as last_at,
        lag(x.holds) over (partition by x.rule_id, x.terminal_id order by x.at) as before,
        bool_and(x.seen or case when w.unknown is not null then coalesce(x.at < w.known_since, false)
          else w.known_since is null or x.at >= w.known_since
            or ${at}::timestamptz >= w.known_since + make_interval(secs => greatest(${graceS}::int, 2 * w.cycle_s)) end)
          over (partition by x.rule_id, x.terminal_id) as ready
      from watched w join variable_truths x on x.rule_id = w.rule_id and x.terminal_id = w.terminal_id
        -- What has been stored since the values were read is left for the next evaluation.
        and x.rule_at = w.rule_at and x.at >= w.template_since and x.at <= w.at) x
    where x.ready and x.before is distinct from x.holds`,
  tx`
    update truths x set newest = true
    from (select rule_id, terminal_id, max(at) as at from truths group by 1, 2) y
    where x.rule_id = y.rule_id and x.terminal_id = y.terminal_id and x.at = y.at`,
  tx`
    update watched w set truth = x.holds, truth_at = x.at
    from truths x where x.newest and x.rule_id = w.rule_id and x.terminal_id = w.terminal_id`,
  // The condition was interrupted meanwhile, or had ended during maintenance, which opened no alarm about it.
  tx`
    delete from alarm_pendings p using truths x, watched w
    where w.rule_id = x.rule_id and w.terminal_id = x.terminal_id and not x.holds
      and p.rule_id = w.rule_id and p.device_id = w.device_id and p.subject = w.subject and p.since < x.at`,
]

/** Conditions that began, lasted long enough, and ended before the evaluation: combined, with their number. */
export const observeExcursions = (tx: Transaction): Statement[] => [
  tx`
    create temporary table if not exists excursions (rule_id int, device_id int, subject text, since timestamptz, until timestamptz,
      times int, value real, detail text) on commit delete rows`,
  tx`
    insert into excursions
    select distinct on (w.rule_id, w.subject) w.rule_id, w.device_id, w.subject, x.at, max(x.until) over every, count(*) over every,
      ${asReal(tx, 'x.value')}, case when w.operator = 'bad' then ${qualityName(tx, 'x.quality')} else ${shown(tx, 'x.value')} end
    from truths x join watched w on w.rule_id = x.rule_id and w.terminal_id = x.terminal_id
    where x.until is not null and x.until - x.at >= make_interval(secs => w.for_s) and w.operator <> 'change'
      and exists (select 1 from truths y where y.rule_id = x.rule_id and y.terminal_id = x.terminal_id and y.at = x.until and not y.seen)
      and not exists (select 1 from alarms a where a.rule_id = w.rule_id and a.subject = w.subject and a.ended_at is null)
    window every as (partition by w.rule_id, w.subject)
    order by w.rule_id, w.subject, x.at`,
  // The condition holds again by now: one alarm that has returned.
  tx`
    update observed o set since = x.since, times = x.times + 1
    from excursions x where x.rule_id = o.rule_id and x.subject = o.subject and o.beyond`,
  tx`
    insert into observed (rule_id, device_id, subject, beyond, value, detail, since, until, times)
    select x.rule_id, x.device_id, x.subject, true, x.value, x.detail, x.since, x.until, x.times from excursions x
    where not exists (select 1 from observed o where o.rule_id = x.rule_id and o.subject = x.subject)`,
]

/** The newest of each is kept, so that brokers know it after a restart. */
export const clearTruths = (tx: Transaction, onlyTurned: boolean): Statement[] => [
  tx`
      update variable_truths v set seen = true from truths x
      where x.newest and not x.seen and v.rule_id = x.rule_id and v.terminal_id = x.terminal_id and v.at = x.at`,
  tx`
      delete from variable_truths v using truths x
      where x.newest and v.rule_id = x.rule_id and v.terminal_id = x.terminal_id and v.at <= x.last_at
        and v.at <> x.at`,
  // Changes of rules that were edited or disabled, and of terminals that are no longer watched.
  ...(onlyTurned
    ? []
    : [
        tx`
            delete from variable_truths v where not exists (
              select 1 from watched w where w.rule_id = v.rule_id and w.terminal_id = v.terminal_id and w.rule_at = v.rule_at)`,
      ]),
]
