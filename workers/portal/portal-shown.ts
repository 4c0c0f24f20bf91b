import { COUNTS_PAST_DAYS, portalShown } from '#schema/portal/portal-shown'
import type { Transaction } from '../kit/processor.ts'
import { keptReport } from '../kit/report.ts'

const DAY_MS = 86_400_000
/**
 * Tolerance for a device's date: its day may begin up to 14 hours earlier than UTC's, and its clock may be a little
 * fast.
 */
const AHEAD_DAYS = 1

type Count = { id: number; day: string; shown: number; clicked: number }
type Reported = { deviceId: number; at: Date; revision: string; today: number[]; counts: Count[] }

/** The report that came last applies. */
const putShown = (tx: Transaction, rows: readonly Reported[]) => tx`
  insert into portal_devices as p (device_id, reported, today, reported_at)
  select "deviceId", revision, array(select jsonb_array_elements_text(today)::int), at
  from jsonb_to_recordset(${tx.json(rows.map(({ counts: _, ...row }) => row))})
    as v("deviceId" integer, revision text, today jsonb, at timestamptz)
  -- A device that has nothing, and is to have nothing, needs no row.
  where revision <> '' or exists (select 1 from portal_devices known where known.device_id = "deviceId")
  on conflict (device_id) do update set reported = excluded.reported, today = excluded.today, reported_at = excluded.reported_at
  where p.reported_at is null or p.reported_at <= excluded.reported_at`

/**
 * A count never shrinks, so repeated and late reports change nothing; the increase is added to the sums in the same
 * statement. Only advertisements of the customer that owns the device count.
 */
const addCounts = (tx: Transaction, said: readonly (Count & { deviceId: number })[]) => tx`
  with said as (
    select v.id, v."deviceId" as device_id, v.day, max(v.shown) as shown, max(v.clicked) as clicked
    from jsonb_to_recordset(${tx.json(said)}) as v("deviceId" integer, id integer, day date, shown integer, clicked integer)
    join devices d on d.id = v."deviceId" join advertisements a on a.id = v.id and a.customer_id = d.customer_id
    group by 1, 2, 3
  ), before as (
    select c.* from advertisement_counts c join said s
      on s.id = c.advertisement_id and s.device_id = c.device_id and s.day = c.day
  ), kept as (
    insert into advertisement_counts as c (advertisement_id, device_id, day, shown, clicked)
    select id, device_id, day, shown, clicked from said order by 1, 2, 3
    on conflict (advertisement_id, device_id, day) do update
      set shown = greatest(c.shown, excluded.shown), clicked = greatest(c.clicked, excluded.clicked)
    returning *
  ), more as (
    select k.advertisement_id, k.day, sum(k.shown - coalesce(b.shown, 0)) as shown, sum(k.clicked - coalesce(b.clicked, 0)) as clicked
    from kept k left join before b using (advertisement_id, device_id, day) group by 1, 2
  ), days as (
    insert into advertisement_days as d (advertisement_id, day, shown, clicked)
    select * from more where shown > 0 or clicked > 0 order by 1, 2
    on conflict (advertisement_id, day) do update set shown = d.shown + excluded.shown, clicked = d.clicked + excluded.clicked
  )
  update advertisements a set shown_total = a.shown_total + m.shown, clicked_total = a.clicked_total + m.clicked
  from (select advertisement_id, sum(shown) as shown, sum(clicked) as clicked from more group by 1) m
  where a.id = m.advertisement_id and (m.shown > 0 or m.clicked > 0)`

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export const portalShownReport = keptReport(
  portalShown,
  ({ device, payload, receivedAt }): Reported[] => {
    const { revision, today } = payload
    const now = receivedAt.getTime()
    const [first, last] = [dayOf(now - COUNTS_PAST_DAYS * DAY_MS), dayOf(now + AHEAD_DAYS * DAY_MS)]
    const counts = payload.counts.filter(({ day }) => first <= day && day <= last)
    return [{ deviceId: device.id, at: receivedAt, revision, today, counts }]
  },
  async (tx, rows) => {
    const last = [...new Map(rows.map((row) => [row.deviceId, row])).values()]
    await putShown(tx, last)
    const said = rows.flatMap(({ deviceId, counts }) => counts.map((count) => ({ deviceId, ...count })))
    if (said.length > 0) await addCounts(tx, said)
  },
)
