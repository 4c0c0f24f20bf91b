import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { deviceRefusals } from '#schema/device/device-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { packSql } from '#schema/tables/status-pack'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest()
const { a, b } = tenants
const away = { name: 'Away', kind: 'offline', threshold: 5, scope: 'customer' }
const create = (body: object, who: { username: string } = a.admin) =>
  call<{ id: number }>('alarm/createAlarmRule', { ...away, ...body }, who)
const preview = (body: object) =>
  call<{ known: boolean; fired: number; devices: number; covered: number }>(
    'alarm/previewAlarmRule',
    body,
    a.admin,
  )

beforeEach(
  () =>
    context.sql`truncate alarm_rules, presence_records, status_samples, status_packs, traffic_days cascade`,
)

describe('an alarm rule', () => {
  it('[§8] "alarm rule fetch failed" for one that does not exist or is another customer’s', async () => {
    const foreign = await create({}, b.admin)
    for (const ruleId of [2_000_000, foreign.data?.id])
      expect(await call('alarm/getAlarmRule', { ruleId }, a.admin)).toMatchObject({
        code: alarmRefusals.alarmRuleGone.code,
        message: 'Alarm rule fetch failed',
      })
  })

  it('has a unique name within the customer', async () => {
    await create({})
    expect(await create({})).toMatchObject({ code: deviceRefusals.nameTaken.code, field: 'name' })
    expect((await create({}, b.admin)).code).toBe(0)
  })

  it.each([
    ['offline', 0],
    ['offline', 1.5],
    ['signal', 5],
    ['memory', 101],
    ['reboots', 1],
    ['load', undefined],
  ])('of kind %s refuses the threshold %s', async (kind, threshold) => {
    expect(await create({ kind, threshold, windowMinutes: 10 })).toMatchObject({
      code: alarmRefusals.thresholdRange.code,
      field: 'threshold',
    })
  })

  it.each([
    ['load', 4, 5],
    ['memory', 90, 91],
    ['signal', -105, -110],
  ])('%s %s recovers on the good side, not at %s', async (kind, threshold, recoverAt) => {
    expect(await create({ kind, threshold, recoverAt })).toMatchObject({
      code: alarmRefusals.recoverySide.code,
      field: 'recoverAt',
    })
  })

  it.each([
    ['signal', -90, 10, '-150', '0'],
    ['cpu', 90, -5, '1', '100'],
    ['load', 4, 1e300, '0.1', '1000'],
    ['reboots', 3, -1, '0', '20'],
  ])('%s %s does not recover at %s, which is not measured', async (kind, threshold, recoverAt, min, max) => {
    const refused = await create({ kind, threshold, recoverAt, windowMinutes: 10 })
    expect(refused).toMatchObject({ code: alarmRefusals.thresholdRange.code, field: 'recoverAt' })
    expect(refused.message).toContain(`from ${min} to ${max}`)
  })

  it('a number of reboots recovers below the least number of an alarm', async () => {
    expect((await create({ kind: 'reboots', threshold: 2, recoverAt: 1, windowMinutes: 10 })).code).toBe(0)
  })

  it('needs an interval to repeat, both ends of quiet hours, and something in its scope', async () => {
    expect((await create({ mode: 'repeat' })).field).toBe('intervalMinutes')
    expect((await create({ quietFrom: '22:00' })).field).toBe('quietTo')
    expect(await create({ quietFrom: '22:00', quietTo: '22:00' })).toMatchObject({
      code: alarmRefusals.quietEqual.code,
      field: 'quietTo',
    })
    expect((await create({ scope: 'groups' })).field).toBe('groupIds')
    expect((await create({ scope: 'devices' })).field).toBe('deviceIds')
  })

  it('accepts groups, devices, contacts and channels of its own customer only', async () => {
    const [contact] = await context.sql<{ id: number }[]>`
      insert into contacts (customer_id, name, phone, email) values (${b.customerId}, 'x', ${randomUUID()}, ${randomUUID()}) returning id`
    for (const body of [
      { scope: 'groups', groupIds: [b.groups.root] },
      { scope: 'devices', deviceIds: [b.devices[0]?.id] },
      { contactIds: [contact?.id] },
      { customerId: b.customerId },
    ])
      expect((await create(body)).code).toBe(sessionRefusals.noPermission.code)
  })

  it('is listed as covering nothing once its groups are deleted, or its devices are deleted or given away', async () => {
    const { data: group } = await call<{ gid: number }>(
      'device/addGroup',
      { groupName: 'Closed soon', level: 1 },
      a.admin,
    )
    const [one, two] = a.devices.map(({ id }) => id)
    await create({ name: 'groups', scope: 'groups', groupIds: [group?.gid] })
    await create({ name: 'devices', scope: 'devices', deviceIds: [one, two] })
    await create({ name: 'everything' })
    const nothing = async () => {
      const { data } = await call<{ list: { name: string; coversNothing: boolean }[] }>(
        'alarm/getAlarmRuleList',
        {},
        a.admin,
      )
      return (data?.list ?? []).filter((row) => row.coversNothing).map(({ name }) => name)
    }
    expect(await nothing()).toEqual([])
    expect((await call('device/deleteGroup', { groupId: group?.gid }, a.admin)).code).toBe(0)
    await context.sql`update devices set deleted_at = now() where id = ${one ?? 0}`
    expect(await nothing()).toEqual(['groups'])
    await context.sql`update devices set customer_id = ${b.customerId} where id = ${two ?? 0}`
    expect(await nothing()).toEqual(['devices', 'groups'])
    await context.sql`update devices set customer_id = ${a.customerId} where id = ${two ?? 0}`
    await context.sql`update devices set deleted_at = null where id = ${one ?? 0}`
  })

  it('is returned as it was saved, with a default text if none was given', async () => {
    const made = await create({
      scope: 'groups',
      groupIds: [a.groups.root],
      mode: 'repeat',
      intervalMinutes: 30,
      quietFrom: '22:00',
      quietTo: '07:00',
    })
    const got = await call('alarm/getAlarmRule', { ruleId: made.data?.id }, a.admin)
    expect(got.data).toMatchObject({
      name: 'Away',
      threshold: 5,
      scope: 'groups',
      groups: [{ id: a.groups.root, name: 'Default' }],
      intervalMinutes: 30,
      quietFrom: '22:00',
      alertText: expect.stringContaining('{device}'),
    })
  })

  it('of the whole customer is listed as not to be changed for a user who is confined to groups', async () => {
    await context.sql`update roles set function_ids = function_ids || 3201 where name = 'operator' and not 3201 = any(function_ids)`
    await create({})
    await create({ name: 'Mine', scope: 'groups', groupIds: [a.groups.branch] }, a.operator)
    const listed = async (who: { username: string }) => {
      const { data } = await call<{ list: { name: string; changeable: boolean }[] }>(
        'alarm/getAlarmRuleList',
        { sort: 'name' },
        who,
      )
      return data?.list.map(({ name, changeable }) => [name, changeable])
    }
    expect(await listed(a.operator)).toEqual([
      ['Away', false],
      ['Mine', true],
    ])
    expect(await listed(a.admin)).toEqual([
      ['Away', true],
      ['Mine', true],
    ])
  })

  it('of others’ groups is not visible to a user who is confined to their own', async () => {
    const made = await create({})
    await context.sql`update roles set function_ids = function_ids || 3201 where name = 'operator' and not 3201 = any(function_ids)`
    expect((await create({ name: 'Mine' }, a.operator)).code).toBe(sessionRefusals.noPermission.code)
    expect(
      (await create({ name: 'Mine', scope: 'groups', groupIds: [a.groups.other] }, a.operator)).code,
    ).toBe(sessionRefusals.noPermission.code)
    expect(
      (await create({ name: 'Mine', scope: 'groups', groupIds: [a.groups.branch] }, a.operator)).code,
    ).toBe(0)
    expect((await call('alarm/deleteAlarmRule', { ruleId: made.data?.id }, a.operator)).code).toBe(
      alarmRefusals.alarmRuleGone.code,
    )
  })
})

describe('deleting a rule', () => {
  const { sql } = context

  it('keeps its alarms, detached from it in batches that are done within the time limit of a statement', async () => {
    const made = await create({ name: 'Noisy' })
    const ruleId = made.data?.id ?? 0
    await sql`
      insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_name, started_at, last_at, ended_at, notified)
      select ${a.customerId}, ${ruleId}, 'Noisy', 'offline', 'major', ${a.devices[0]?.id ?? 0}, 'sn', 'Device', 'Group', now(), now(), now(), 'all'
      from generate_series(1, 5001)`
    await sql`create function count_detached() returns trigger language plpgsql as $$ begin
      if (select count(*) from changed) > 5000 then raise 'too many alarms in one statement'; end if;
      return null; end $$`
    await sql`create trigger count_detached after update on alarms referencing new table as changed
      for each statement execute function count_detached()`
    try {
      expect((await call('alarm/deleteAlarmRule', { ruleId }, a.admin)).code).toBe(0)
    } finally {
      await sql`drop function count_detached() cascade`
    }
    expect(await sql`select rule_id, count(*)::int from alarms where rule_name = 'Noisy' group by 1`).toEqual(
      [{ rule_id: null, count: 5001 }],
    )
  })
})

describe('"would have fired last week"', () => {
  const device = a.devices[0]
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const stay = (from: number, to: number | null, reason = 'keepalive', ip = '198.51.100.1') => context.sql`
    insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at, reason, ip)
    values (${randomUUID()}, ${device?.id ?? 0}, 'b', ${ago(from)}, ${to === null ? null : ago(to)}, ${reason}, ${ip})`

  it('counts absences as long as the threshold, but not those caused by the platform', async () => {
    await stay(300, 200)
    await stay(197, 150)
    await stay(130, 100, 'brokerLost')
    await stay(60, null)
    expect((await preview({ kind: 'offline', threshold: 5, scope: 'customer' })).data).toMatchObject({
      known: true,
      fired: 1,
      devices: 1,
      covered: 4,
    })
    expect((await preview({ kind: 'offline', threshold: 2, scope: 'customer' })).data?.fired).toBe(2)
  })

  it('counts figures that lasted, with the hysteresis of the rule', async () => {
    const loads = [1, 5, 5, 5, 3, 5, 1, 5, 1]
    for (const [i, load] of loads.entries())
      await context.sql`insert into status_samples (device_id, at, load1) values (${device?.id ?? 0}, ${ago(90 - i)}, ${load})`
    const fired = async (more: object) =>
      (await preview({ kind: 'load', threshold: 4, scope: 'customer', ...more })).data?.fired
    expect(await fired({})).toBe(3)
    // As if these were days ago: packed samples count like others.
    for (const minutes of [90, 80]) {
      const day = `${ago(minutes).toISOString().slice(0, 10)}T00:00:00Z`
      await context.sql.unsafe(packSql, [[device?.id ?? 0], day, '2999-01-01'])
    }
    expect(await context.sql`select 1 from status_samples`).toHaveLength(0)
    expect(await fired({})).toBe(3)
    expect(await fired({ recoverAt: 2 })).toBe(2)
    expect(await fired({ recoverAt: 2, forMinutes: 3 })).toBe(1)
  })

  it('counts days of traffic, and new addresses', async () => {
    await context.sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values
      (${device?.id ?? 0}, (now() at time zone 'UTC')::date - 1, ${200 * 1024 ** 2}, 0), (${device?.id ?? 0}, (now() at time zone 'UTC')::date, 1, 1)`
    expect((await preview({ kind: 'trafficDay', threshold: 100, scope: 'customer' })).data?.fired).toBe(1)
    await stay(300, 200)
    await stay(190, 100, 'keepalive', '198.51.100.2')
    await stay(90, null, 'keepalive', '198.51.100.1')
    expect((await preview({ kind: 'newAddress', scope: 'customer' })).data?.fired).toBe(1)
  })

  it('begins where the device changed owners: earlier history belongs to the former owner', async () => {
    await stay(300, 200)
    await stay(190, 100, 'keepalive', '198.51.100.2')
    await context.sql`insert into status_samples (device_id, at, load1) values (${device?.id ?? 0}, ${ago(9)}, 5), (${device?.id ?? 0}, ${ago(8)}, 5)`
    await context.sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values
      (${device?.id ?? 0}, (now() at time zone 'UTC')::date, ${200 * 1024 ** 2}, 0)`
    const rules = [
      { kind: 'offline', threshold: 2 },
      { kind: 'load', threshold: 4 },
      { kind: 'trafficDay', threshold: 100 },
      { kind: 'newAddress' },
    ]
    const fired = async () => {
      const counts: unknown[] = []
      for (const rule of rules) counts.push((await preview({ scope: 'customer', ...rule })).data?.fired)
      return counts
    }
    expect(await fired()).not.toContain(0)
    await context.sql`update devices set owned_since = now() where id = ${device?.id ?? 0}`
    expect(await fired()).toEqual([0, 0, 0, 0])
    await context.sql`update devices set owned_since = null where id = ${device?.id ?? 0}`
  })

  it('covers nothing as long as neither groups nor devices are chosen', async () => {
    for (const scope of ['groups', 'devices'])
      expect(await preview({ kind: 'offline', threshold: 5, scope })).toMatchObject({
        code: 0,
        data: { covered: 0, fired: 0 },
      })
  })

  it('shows no count where no history is kept', async () => {
    expect((await preview({ kind: 'simSwitched', scope: 'customer' })).data).toMatchObject({
      known: false,
      covered: 4,
    })
  })
})

it('null in a rule is no limit, as in a rule that is read: it is stored as none, not as 0', async () => {
  const heat = { name: 'Heat', kind: 'temperature', threshold: 70, recoverAt: null, intervalMinutes: null }
  const made = await create(heat)
  const stored = () =>
    context.sql`select threshold, recover_at from alarm_rules where id = ${made.data?.id ?? 0}`
  expect(await stored()).toEqual([{ threshold: 70, recover_at: null }])
  const changed = { ...away, ...heat, ruleId: made.data?.id, threshold: 80 }
  expect(await call('alarm/updateAlarmRule', changed, a.admin)).toMatchObject({ code: 0 })
  expect(await stored()).toEqual([{ threshold: 80, recover_at: null }])
})
