/**
 * Keeps captive portals in step: computes the revision that each device is to have, and sends it to those that are
 * online. The rows contain the state, so the job may run twice or late, and a device that was offline is found when it
 * is back.
 */
import { randomUUID } from 'node:crypto'
import { driveCommands } from '#schema/command/command'
import { sweepPortals } from '#schema/portal/portal-device'
import { firstDayLeft } from '#schema/portal/portal-schedule'
import { PORTAL_MAX, setPortal } from '#schema/portal/set-portal'
import { isReady } from '../device/ready.ts'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { documentOf, readAdvertisements } from './portal-document.ts'

/** Devices that fetch pictures at the same time. */
const AT_ONCE = 500
/** The pause after a failed try: doubled each time, up to an hour. */
const AGAIN_S = 60
const DOUBLED_MAX = 6
/** The device is ready when this is written, so it is sent immediately or not at all. */
const QUEUED_MS = 30_000

/** What devices have replied since; their own later report has priority. */
const readReplies = ({ sql }: WorkerContext) => sql`
  update portal_devices p set command_id = null,
    reported = case when c.state = 'done' and (p.reported_at is null or p.reported_at <= c.ended_at) then coalesce(c.result->>'revision', '') else p.reported end,
    tries = case when c.state = 'done' then 0 else p.tries end,
    error = case when c.state = 'failed' then c.error end
  from commands c where c.id = p.command_id and c.ended_at is not null`

/**
 * The same for all devices of a group: what is for the whole customer, for the group or for one above it. Disabled and
 * past ones are left out; devices that have one of them must drop it.
 */
const computeDesired = ({ sql, now }: WorkerContext) => sql`
  with recursive current as (
    select id, customer_id, scope, place, id || '.' || version as token from advertisements
    where enabled and (to_date is null or to_date + coalesce(to_time < from_time, false)::int >= ${firstDayLeft(now().getTime())}::date)
  ), tree as (
    select l.group_id, c.id from advertisement_groups l join current c on c.id = l.advertisement_id and c.scope = 'groups'
    union select g.id, tree.id from groups g join tree on g.parent_id = tree.group_id
  ), each as (
    select g.id as group_id, c.* from groups g join current c on c.customer_id = g.customer_id and c.scope = 'customer'
    union all select g.id, c.* from tree join current c on c.id = tree.id
      join groups g on g.id = tree.group_id and g.customer_id = c.customer_id
  ), documents as (
    select group_id, array_to_string((array_agg(token order by place, id))[1:${PORTAL_MAX}], '-') as revision from each group by 1
  ), wanted as (
    select d.id, w.revision from documents w join devices d on d.group_id = w.group_id and d.deleted_at is null
    union all
    select p.device_id, '' from portal_devices p join devices d on d.id = p.device_id
    where p.desired <> '' and d.deleted_at is null and not exists (select 1 from documents w where w.group_id = d.group_id)
  )
  insert into portal_devices as p (device_id, desired)
  select w.id, w.revision from wanted w left join portal_devices known on known.device_id = w.id
  where coalesce(known.desired, '') <> w.revision
  on conflict (device_id) do update set desired = excluded.desired, tries = 0, tried_at = null, error = null`

type Due = { deviceId: number; customerId: number; desired: string }

async function findDue(ctx: WorkerContext, tx: Transaction): Promise<Due[]> {
  const now = ctx.now()
  const againS = AGAIN_S * ctx.env.TASK_DEADLINE_SCALE
  return tx<Due[]>`
    select p.device_id as "deviceId", d.customer_id as "customerId", p.desired
    from portal_devices p join devices d on d.id = p.device_id join device_states s on s.device_id = d.id
    where p.desired <> p.reported and ${isReady(ctx.sql, now)} and (d.features is null or d.features ? ${setPortal.name})
      and (p.tried_at is null
        or p.tried_at < ${now}::timestamptz - make_interval(secs => ${againS}::float8 * power(2, least(p.tries, ${DOUBLED_MAX}))))
      and not exists (select 1 from commands c
        where c.device_id = d.id and c.name = ${setPortal.name} and c.ended_at is null)
    order by p.device_id
    limit greatest(0, ${AT_ONCE} - (select count(*) from portal_devices where command_id is not null))
    for update of p skip locked for key share of d skip locked`
}

/** Returns how many devices are sent a document. */
const sendDocuments = (ctx: WorkerContext) =>
  ctx.sql.begin(async (tx) => {
    const now = ctx.now()
    const due = await findDue(ctx, tx)
    if (due.length === 0) return 0
    const known = await readAdvertisements(
      tx,
      due.map(({ desired }) => desired),
    )
    const orders = due.flatMap(({ desired, ...device }) => {
      const args = documentOf(desired, known)
      // Changed since the revision was computed: the next run will know.
      return args ? [{ id: randomUUID(), ...device, args }] : []
    })
    await tx`
      insert into commands (id, device_id, customer_id, name, args, created_at, deadline_at)
      select id, "deviceId", "customerId", ${setPortal.name}, args, ${now}, ${new Date(now.getTime() + QUEUED_MS)}
      from jsonb_to_recordset(${tx.json(orders)}) as v(id uuid, "deviceId" integer, "customerId" integer, args jsonb)`
    await tx`
      update portal_devices p set command_id = v.id, tried_at = ${now}, tries = least(p.tries + 1, 100)
      from jsonb_to_recordset(${tx.json(orders.map(({ id, deviceId }) => ({ id, deviceId })))}) as v(id uuid, "deviceId" integer)
      where p.device_id = v."deviceId"`
    return orders.length
  })

export const sweepPortalsJob = processor(sweepPortals, async (ctx) => {
  await readReplies(ctx)
  const changed = (await computeDesired(ctx)).count
  const sent = await sendDocuments(ctx)
  if (sent > 0) await ctx.queue.add(driveCommands, {})
  return { changed, sent }
})
