import { beforeEach, describe, expect, it } from 'vitest'
import { type getAlarmOutages, OUTAGES_TOLD } from '#schema/alarm/alarm-outage'
import type { ReplyOf } from '#schema/kit/call'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest()
const { a, b } = tenants
const SIZE = 6
let incidentId = 0

/** Six devices of the branch and one of the root, all of one carrier; the six are an outage. */
async function makeOutage(): Promise<void> {
  const { sql } = context
  const [made] = await sql<{ id: number }[]>`
    insert into alarm_incidents (customer_id, ground, key, name, started_at)
    values (${a.customerId}, 'group', ${String(a.groups.branch)}, 'Branch', now()) returning id`
  incidentId = made?.id ?? 0
  await sql`
    insert into devices (customer_id, group_id, sn, name, operator, model)
    select ${a.customerId}, case when n > ${SIZE} then ${a.groups.root}::int else ${a.groups.branch}::int end,
      'OUT' || n, 'Out ' || n, 'Net', case when n > 1 then 'X200' else 'X500' end
    from generate_series(1, ${SIZE + 1}) n`
  await sql`
    insert into device_states (device_id, online, online_changed_at)
    select id, sn = 'OUT7', '2026-01-01T00:00:00Z'::timestamptz + right(sn, 1)::int * interval '1 second' from devices where sn like 'OUT%'
    on conflict (device_id) do update set online = excluded.online, online_changed_at = excluded.online_changed_at`
  await sql`
    insert into alarms (incident_id, customer_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at)
    select ${incidentId}, ${a.customerId}, 'Offline', 'offline', 'major', id, sn, name, group_id, 'G', now(), now()
    from devices where sn like 'OUT%' and sn <> 'OUT7'`
}
beforeEach(async () => {
  await context.sql`truncate alarms, alarm_incidents cascade`
  await context.sql`delete from devices where sn like 'OUT%'`
  await makeOutage()
})

const outages = async (who: { username: string } = a.admin) =>
  (await call<ReplyOf<typeof getAlarmOutages>>('alarm/getAlarmOutages', {}, who)).data?.list ?? []
const rows = async (body: object, who: { username: string } = a.admin) =>
  (await call<{ total: number }>('alarm/getAlarmList', body, who)).data?.total

describe('an outage', () => {
  it('is returned as one, with its start and what its devices have in common', async () => {
    const [outage] = await outages()
    expect(outage).toMatchObject({
      incidentId,
      groupId: a.groups.branch,
      away: SIZE,
      total: SIZE,
      open: SIZE,
      lostFrom: '2026-01-01T00:00:01.000Z',
      lostTo: '2026-01-01T00:00:06.000Z',
    })
    const of = (trait: string) =>
      outage?.common.filter((one) => one.trait === trait).map(({ value, away, all }) => [value, away, all])
    // One device of the carrier is online, so the carrier is not the cause.
    expect(of('carrier')).toEqual([['Net', SIZE, SIZE + 1]])
    expect(of('model')).toEqual([
      ['X200', SIZE - 1, SIZE],
      ['X500', 1, 1],
    ])
    expect(of('group')?.[0]?.[1]).toBe(SIZE)
  })

  it('is omitted from the folded list, and what is left of it is listed again', async () => {
    expect(await rows({})).toBe(SIZE)
    expect(await rows({ fold: 'outages' })).toBe(0)
    await context.sql`update alarms set ended_at = now(), end_reason = 'recovered' where sn in ('OUT1', 'OUT2')`
    expect(await outages()).toEqual([])
    expect(await rows({ fold: 'outages' })).toBe(SIZE - 2)
  })

  it('beyond the maximum number stays in the folded list', async () => {
    await context.sql`
      with more as (
        insert into alarm_incidents (customer_id, ground, key, name, started_at)
        select ${a.customerId}, 'group', 'x', 'More', now() from generate_series(1, ${OUTAGES_TOLD}) returning id)
      insert into alarms (incident_id, customer_id, rule_name, kind, severity, sn, device_name, group_name, started_at, last_at)
      select more.id, ${a.customerId}, 'Offline', 'offline', 'major', 'MORE' || more.id || '-' || n, 'More', 'G', now(), now()
      from more, generate_series(1, ${SIZE + 1}) n`
    const told = await outages()
    expect(told).toHaveLength(OUTAGES_TOLD)
    expect(told.map((one) => one.incidentId)).not.toContain(incidentId)
    expect(await rows({ fold: 'outages' })).toBe(SIZE)
  })

  it('is acknowledged and handled as a whole; an existing note on one of its devices stays', async () => {
    const [one] = await context.sql<{ id: number }[]>`select id from alarms where sn = 'OUT1'`
    await call('alarm/handleAlarms', { alarmIds: [one?.id], note: 'Broken antenna' }, a.admin)
    expect((await call('alarm/acknowledgeAlarms', { incidentId }, a.admin)).data).toEqual({
      changed: SIZE - 1,
    })
    expect((await outages())[0]?.open).toBe(0)
    const handled = await call('alarm/handleAlarms', { incidentId, note: 'Power cut' }, a.admin)
    expect(handled.data).toEqual({ changed: SIZE - 1, kept: 0 })
    expect(
      await context.sql`select note, count(*)::int as n from alarms group by note order by note`,
    ).toEqual([
      { note: 'Broken antenna', n: 1 },
      { note: 'Power cut', n: SIZE - 1 },
    ])
    expect((await call('alarm/handleAlarms', { note: 'nothing' }, a.admin)).field).toBe('alarmIds')
  })

  it('of another customer does not exist, and a normal user acknowledges only what they see of it', async () => {
    expect(await outages(b.admin)).toEqual([])
    const refused = await call('alarm/acknowledgeAlarms', { incidentId }, b.admin)
    expect(refused.code).toBe(sessionRefusals.noPermission.code)
    await context.sql`update alarms set group_id = ${a.groups.root} where sn = 'OUT1'`
    expect((await outages(a.operator))[0]?.total).toBe(SIZE - 1)
    expect((await call('alarm/acknowledgeAlarms', { incidentId }, a.operator)).data).toEqual({
      changed: SIZE - 1,
    })
  })
})
