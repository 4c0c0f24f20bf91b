import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { MINUTE, openAlarmBench, type Rule } from '#test/alarm-bench'
import { meanwhile } from '#test/meanwhile'
import { evaluateAlarmsJob, notifyAlarms } from './evaluate-alarms.ts'

const alarms = await openAlarmBench()
const { bench, devices, device, only, set, leave, comeBack, addRule, later, seen, notified, subjects } =
  alarms
beforeEach(alarms.begin)

describe('levels', () => {
  const cases: [string, Rule, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>][] = [
    [
      'signal',
      { kind: 'signal', threshold: -105, recoverAt: -100 },
      { signal_dbm: -106 },
      { signal_dbm: -102 },
      { signal_dbm: -99 },
    ],
    ['load', { kind: 'load', threshold: 4, recoverAt: 2 }, { load1: 5 }, { load1: 3 }, { load1: 1 }],
    [
      'memory',
      { kind: 'memory', threshold: 90, recoverAt: 80 },
      { memory_used_percent: 95 },
      { memory_used_percent: 85 },
      { memory_used_percent: 70 },
    ],
    [
      'temperature',
      { kind: 'temperature', threshold: 75, recoverAt: 70 },
      { temperature_celsius: 80 },
      { temperature_celsius: 72 },
      { temperature_celsius: 60 },
    ],
  ]
  it.each(cases)(
    '%s: begins beyond the threshold, stays within the hysteresis, ends on the good side',
    async (_, rule, bad, between, good) => {
      await addRule(rule)
      await later(10_000)
      expect(await seen()).toEqual([])
      await set(bad)
      await later(10_000)
      expect(await seen()).toMatchObject([{ sn: device.sn, open: true }])
      await set(between)
      await later(10_000)
      expect(await seen()).toMatchObject([{ open: true }])
      await set(good)
      await later(10_000)
      expect(await seen()).toMatchObject([{ open: false, reason: 'recovered' }])
      expect(await notified()).toEqual(['alert', 'recovery'])
    },
  )

  it('must last as long as the rule says, without interruption', async () => {
    await addRule({ kind: 'load', threshold: 4, forMinutes: 5 })
    await set({ load1: 9 })
    await later(0)
    await later(4 * MINUTE)
    await set({ load1: 1 })
    await later(10_000)
    await set({ load1: 9 })
    await later(10_000)
    await later(4 * MINUTE)
    expect(await seen()).toEqual([])
    await later(MINUTE)
    expect(await seen()).toMatchObject([{ open: true }])
  })

  it('late data raises no alarm, and silence ends none', async () => {
    await addRule({ kind: 'load', threshold: 4 })
    await set({ load1: 9, status_at: new Date(bench.ctx.now().getTime() - 10 * MINUTE) })
    await evaluateAlarmsJob.run(bench.ctx, {})
    expect(await seen()).toEqual([])
    await later(10_000)
    expect(await seen()).toHaveLength(1)
    await leave([device], { load1: 0 })
    await later(20 * MINUTE)
    expect(await seen()).toMatchObject([{ open: true }])
  })

  it('traffic of the day counts both directions and ends with the day', async () => {
    await addRule({ kind: 'trafficDay', threshold: 100 })
    const day = bench.ctx.now().toISOString().slice(0, 10)
    await bench.ctx
      .sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values (${device.id}, ${day}, ${60 * 1024 ** 2}, ${41 * 1024 ** 2})`
    await later(0)
    expect(await seen()).toMatchObject([{ sn: device.sn, open: true, value: 101 }])
    await later(86_400_000)
    expect(await seen()).toMatchObject([{ open: false }])
  })

  it('traffic of a former owner counts in no alarm of the next', async () => {
    await addRule({ kind: 'trafficDay', threshold: 100 })
    await addRule({ kind: 'trafficMonth', threshold: 1 })
    const now = bench.ctx.now()
    const day = (ago: number) => new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10)
    for (const ago of [0, 1])
      await bench.ctx
        .sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values (${device.id}, ${day(ago)}, ${9 * 1024 ** 3}, 0)`
    await bench.ctx.sql`update devices set owned_since = ${now} where id = ${device.id}`
    await later(0)
    expect(await seen()).toEqual([])
    await bench.ctx.sql`update devices set owned_since = null where id = ${device.id}`
  })

  it('traffic of the month counts from its first day', async () => {
    const now = bench.ctx.now()
    const next = (day: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, day)
    const GIB = 1024 ** 3
    for (const [at, bytes] of [
      [next(0), 50 * GIB],
      [next(1), 2 * GIB],
      [next(15), GIB],
    ] as const)
      await bench.ctx
        .sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values (${device.id}, ${new Date(at).toISOString().slice(0, 10)}, ${bytes}, 0)`
    await addRule({ kind: 'trafficMonth', threshold: 3 })
    await later(next(15) - now.getTime())
    expect(await seen()).toMatchObject([{ open: true, value: 3 }])
  })
})

describe('device offline', () => {
  it('for N minutes: notified once, ended with the return, recovery notified', async () => {
    await addRule({ kind: 'offline', threshold: 5 })
    await leave()
    await later(4 * MINUTE)
    expect(await seen()).toEqual([])
    await later(MINUTE)
    await later(30_000)
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: true, notified: 'alert' }])
    await comeBack()
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: false, notified: 'all' }])
    expect(await notified()).toEqual(['alert', 'recovery'])
    expect(await subjects()).toHaveLength(2)
    // The format promised in docs/webhooks.md, without internal fields.
    const [notice] = await bench.ctx.sql<
      { payload: { alarms: object[] } }[]
    >`select payload from alarm_notices order by created_at limit 1`
    expect(
      Object.keys(notice?.payload.alarms[0] ?? {})
        .sort()
        .join(' '),
    ).toBe('detail deviceName endedAt groupName id sn startedAt subject task threshold times value')
  })

  it('a second process that evaluates at the same time opens nothing twice', async () => {
    await addRule({ kind: 'offline', threshold: 1 })
    await leave()
    bench.pass(2 * MINUTE)
    await bench.ctx.sql`update brokers set beat_at = ${bench.ctx.now()}`
    await Promise.all([1, 2, 3].map(() => evaluateAlarmsJob.run(bench.ctx, {})))
    expect(await seen()).toHaveLength(1)
  })

  it('a round that falls due while changed variables are evaluated comes after them, and is not left out', async () => {
    await addRule({ kind: 'load', threshold: 4 })
    await set({ load1: 9 })
    await meanwhile(
      bench.ctx.sql,
      () => evaluateAlarmsJob.run(bench.ctx, {}),
      (tx) => tx`select pg_advisory_xact_lock(hashtext('alarms'))`,
    )
    expect(await seen()).toMatchObject([{ open: true }])
  })

  it('flapping is counted on one alarm, and notified only when it lasts', async () => {
    await addRule({ kind: 'offline', threshold: 1 })
    for (let i = 0; i < 14; i++) {
      await leave()
      await later(2 * MINUTE)
      await comeBack()
      await later(MINUTE)
    }
    expect(await seen()).toMatchObject([{ times: 14, open: false }])
    expect((await notified()).length).toBeLessThanOrEqual(2)
  })

  it('an absence within the customer’s grace period never counts', async () => {
    const { sql, parameters } = bench.ctx
    await sql`insert into parameter_values (key, customer_id, value) values ('offlineGraceS', ${device.customerId}, 600)`
    parameters.forget()
    await addRule({ kind: 'offline', threshold: 1 })
    await leave()
    await later(9 * MINUTE)
    expect(await seen()).toEqual([])
    await later(MINUTE)
    expect(await seen()).toMatchObject([{ open: true }])
    await sql`delete from parameter_values`
    parameters.forget()
  })

  it('many devices behind one gateway are one outage, notified once and ended once', async () => {
    await addRule({ kind: 'offline', threshold: 1 })
    await leave(devices.slice(0, 20), { remote_ip: '203.0.113.7' })
    await later(2 * MINUTE)
    await later(30_000)
    await later(10_000)
    expect(await notified()).toEqual(['alert'])
    expect(await subjects()).toEqual([expect.stringContaining('203.0.113.7, 20 devices')])
    await comeBack(devices.slice(0, 19))
    await later(10_000)
    expect(await notified()).toEqual(['alert'])
    await comeBack(devices.slice(19, 20))
    await later(10_000)
    expect(await notified()).toEqual(['alert', 'recovery'])
  })

  it('is notified as one even if another notice is written before the round that looks for outages', async () => {
    await addRule({ kind: 'offline', threshold: 1 })
    await leave(devices.slice(0, 20), { remote_ip: '203.0.113.7' })
    await later(2 * MINUTE)
    bench.pass(31_000)
    await notifyAlarms(bench.ctx)
    expect(await notified()).toEqual([])
    await later(0)
    expect(await subjects()).toEqual([expect.stringContaining('203.0.113.7, 20 devices')])
  })

  it('of one carrier likewise; devices lost a little later join it', async () => {
    await addRule({ kind: 'offline', threshold: 1 })
    await bench.ctx
      .sql`update devices set operator = 'China Mobile' where id = any(${only(devices.slice(0, 9))})`
    await bench.ctx.sql`update device_states set remote_ip = '198.51.100.' || device_id % 200`
    await bench.ctx
      .sql`update devices set group_id = ${bench.tenants.a.groups.other} where id = any(${only(devices.slice(0, 4))})`
    await leave(devices.slice(0, 8))
    await later(2 * MINUTE)
    await later(30_000)
    await leave(devices.slice(8, 9))
    await later(2 * MINUTE)
    await later(30_000)
    expect(await notified()).toEqual(['alert'])
    expect(
      await bench.ctx
        .sql`select ground, name, (select count(*)::int from alarms where incident_id = i.id) as n from alarm_incidents i`,
    ).toEqual([{ ground: 'carrier', name: 'China Mobile', n: 9 }])
  })

  it('lost again after it was over is another outage; each rule has outages of its own', async () => {
    await addRule({ kind: 'offline', threshold: 1 })
    await addRule({ kind: 'offline', threshold: 2 })
    const lost = devices.slice(0, 6)
    await leave(lost)
    for (const ms of [MINUTE, 30_000, 30_000, 30_000]) await later(ms)
    expect(await notified()).toEqual(['alert', 'alert'])
    await comeBack(lost)
    await later(10_000)
    await leave(lost)
    for (const ms of [MINUTE, 30_000]) await later(ms)
    expect(await notified()).toEqual(['alert', 'alert', 'recovery', 'recovery', 'alert'])
  })

  it('that was acknowledged is no longer repeated, also as an outage', async () => {
    await addRule({ kind: 'offline', threshold: 1, mode: 'repeat', intervalMinutes: 30 })
    await leave(devices.slice(0, 6))
    for (const ms of [MINUTE, 30_000, 30 * MINUTE]) await later(ms)
    expect(await notified()).toEqual(['alert', 'repeat'])
    await bench.ctx.sql`update alarms set ack_at = now()`
    await later(60 * MINUTE)
    expect(await notified()).toEqual(['alert', 'repeat'])
  })

  it.each(['brokerLost', 'brokerStopped'])(
    '%s: nobody is offline while our own broker is away; after its return there is time to come back',
    async (offline_reason) => {
      await addRule({ kind: 'offline', threshold: 1 })
      await leave(devices, { offline_reason })
      bench.pass(10 * MINUTE)
      await evaluateAlarmsJob.run(bench.ctx, {})
      expect(await seen()).toEqual([])
      await bench.ctx.sql`update brokers set started_at = ${bench.ctx.now()}, beat_at = ${bench.ctx.now()}`
      await evaluateAlarmsJob.run(bench.ctx, {})
      await later(MINUTE)
      expect(await seen()).toEqual([])
      await comeBack(devices.slice(1))
      await later(2 * MINUTE)
      expect(await seen()).toMatchObject([{ sn: device.sn }])
    },
  )

  it('a device that had left just before gets the same time: it could not reconnect meanwhile', async () => {
    await addRule({ kind: 'offline', threshold: 1 })
    await leave(devices.slice(0, 2))
    bench.pass(3 * MINUTE)
    await bench.ctx.sql`update brokers set started_at = ${bench.ctx.now()}`
    await later(MINUTE / 2)
    expect(await seen()).toEqual([])
    await comeBack(devices.slice(1))
    await later(MINUTE)
    expect(await seen()).toMatchObject([{ sn: device.sn }])
  })
})

describe('what changes', () => {
  it('SIM switched: an event, open until it is handled, counted when it happens again', async () => {
    await addRule({ kind: 'simSwitched' })
    await later(0)
    await bench.ctx.sql`update devices set iccid = '8986B' where id = ${device.id}`
    await later(10_000)
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: true, times: 1, detail: '8986A → 8986B' }])
    await bench.ctx.sql`update alarms set ack_at = now()`
    await bench.ctx.sql`update devices set iccid = '8986A' where id = ${device.id}`
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: true, times: 2 }])
    expect(await bench.ctx.sql`select ack_at from alarms`).toEqual([{ ack_at: null }])
  })

  it('login from a new address: not the first one ever, not one it came from before', async () => {
    await addRule({ kind: 'newAddress' })
    await later(0)
    await bench.ctx
      .sql`insert into presence_records (connection_id, device_id, broker_id, online_at, ip) values (${randomUUID()}, ${device.id}, 'b1', ${bench.ctx.now()}, '198.51.100.1')`
    await set({ remote_ip: '198.51.100.99' })
    await later(10_000)
    expect(await seen()).toMatchObject([{ detail: '198.51.100.99' }])
    await set({ remote_ip: '198.51.100.1' })
    await later(10_000)
    expect(await seen()).toMatchObject([{ times: 1 }])
  })

  it('what changed before there was a rule about it is no event, even where another rule compares the device', async () => {
    await addRule({ kind: 'configDrift' })
    await later(0)
    await bench.ctx.sql`update devices set iccid = '8986B', boot_id = 'b-later' where id = ${device.id}`
    await set({ remote_ip: '198.51.100.99' })
    await later(0)
    await later(61 * MINUTE)
    await addRule({ kind: 'simSwitched' })
    await addRule({ kind: 'newAddress' })
    await addRule({ kind: 'reboots', threshold: 1, windowMinutes: 60 })
    await later(10_000)
    expect(await seen()).toEqual([])
    await bench.ctx.sql`update devices set iccid = '8986C' where id = ${device.id}`
    await later(10_000)
    expect(await seen()).toMatchObject([{ detail: '8986B → 8986C' }])
  })

  it('an address that the device used only at a former owner is new', async () => {
    await addRule({ kind: 'newAddress' })
    await later(0)
    const now = bench.ctx.now().getTime()
    await bench.ctx
      .sql`insert into presence_records (connection_id, device_id, broker_id, online_at, ip) values (${randomUUID()}, ${device.id}, 'b1', ${new Date(now - 60 * MINUTE)}, '198.51.100.99')`
    await bench.ctx.sql`update devices set owned_since = ${new Date(now - MINUTE)} where id = ${device.id}`
    await set({ remote_ip: '198.51.100.99' })
    await later(10_000)
    expect(await seen()).toMatchObject([{ detail: '198.51.100.99' }])
  })

  it('config drift: not when an upgrade brought it', async () => {
    await addRule({ kind: 'configDrift' })
    const { itemOf } = await bench.task([device])
    await later(0)
    await bench.force({ step: 'done', outcome: 'done' }, [itemOf(device)])
    await bench.ctx.sql`update task_items set step_at = ${bench.ctx.now()} where id = ${itemOf(device)}`
    await bench.ctx.sql`update devices set config_hash = 'bbbb' where id = ${device.id}`
    await later(MINUTE)
    expect(await seen()).toEqual([])
    await bench.ctx.sql`delete from tasks`
  })

  it('config drift: not when a task of the platform caused it, over when the known configuration is back', async () => {
    await addRule({ kind: 'configDrift' })
    await later(0)
    await bench.ctx
      .sql`insert into commands (id, device_id, customer_id, name, args, deadline_at, state, ended_at)
      values (${randomUUID()}, ${device.id}, ${device.customerId}, 'reboot', '{}', now(), 'done', ${bench.ctx.now()})`
    await bench.ctx.sql`update devices set config_hash = 'bbbb' where id = ${device.id}`
    await later(MINUTE)
    expect(await seen()).toEqual([])
    await bench.ctx.sql`update devices set config_hash = 'cccc' where id = ${device.id}`
    await later(20 * MINUTE)
    expect(await seen()).toMatchObject([{ open: true, detail: 'bbbb → cccc' }])
    await bench.ctx.sql`update devices set config_hash = 'bbbb' where id = ${device.id}`
    await later(MINUTE)
    expect(await seen()).toMatchObject([{ open: false }])
  })

  it('config drift: by real differences, where the configuration was set from here', async () => {
    await addRule({ kind: 'configDrift' })
    await bench.ctx.sql`
      insert into device_configs (device_id, level, desired_hash, drift) values (${device.id}, 1, 'aaaa', 0)`
    await later(0)
    // A reordered file has another hash and says nothing else.
    await bench.ctx.sql`update devices set config_hash = 'dddd' where id = ${device.id}`
    await later(20 * MINUTE)
    expect(await seen()).toEqual([])
    await bench.ctx.sql`update device_configs set drift = 3 where device_id = ${device.id}`
    await later(MINUTE)
    expect(await seen()).toMatchObject([{ open: true, detail: '3 ≠' }])
    await bench.ctx.sql`update device_configs set drift = 0 where device_id = ${device.id}`
    await later(MINUTE)
    expect(await seen()).toMatchObject([{ open: false }])
    await bench.ctx.sql`delete from device_configs where device_id = ${device.id}`
  })

  it('reboot loop: N boots in M minutes', async () => {
    await addRule({ kind: 'reboots', threshold: 3, windowMinutes: 10 })
    await later(0)
    for (const boot of ['2', '3', '4']) {
      await bench.ctx.sql`update devices set boot_id = ${`boot-${boot}`} where id = ${device.id}`
      await later(MINUTE)
    }
    expect(await seen()).toMatchObject([{ open: true, value: 3 }])
    await later(15 * MINUTE)
    expect(await seen()).toMatchObject([{ open: false }])
  })

  it('printer error: named by printer, over when it is ready again; an unplugged one has none', async () => {
    await addRule({ kind: 'printerError' })
    await bench.ctx
      .sql`insert into printers (device_id, local_id, status, status_at, method, port, success_count, fail_count)
      values (${device.id}, 'usb1', 'paperJam', ${bench.ctx.now()}, 'usb', '/dev/usb/lp0', 0, 0)`
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: true, detail: 'usb1: paperJam' }])
    await bench.ctx.sql`update printers set status = 'ready'`
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: false }])
    await bench.ctx.sql`update printers set status = 'paperJam', present = false`
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: false, times: 1 }])
    await bench.ctx.sql`delete from printers`
  })

  it('a missed scheduled reboot: until one succeeds, or the schedule is changed', async () => {
    const { sql } = bench.ctx
    await addRule({ kind: 'rebootMissed' })
    await sql`
      insert into schedules (device_id, customer_id, enabled, kind, time, weekdays, time_zone, updated_at)
      select id, customer_id, true, 'daily', '03:00', '{}', 'UTC', ${bench.ctx.now()} from devices where id = ${device.id}`
    const due = (state: string, reason: string | null) => sql`
      insert into schedule_runs (device_id, due_at, state, reason, ended_at)
      values (${device.id}, ${bench.ctx.now()}, ${state}, ${reason}, ${state === 'waiting' ? null : bench.ctx.now()})`
    await later(MINUTE)
    await due('missed', 'offline')
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: true, detail: 'offline' }])
    // The next one is still pending and changes nothing.
    await due('waiting', null)
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: true }])
    await later(MINUTE)
    await due('done', null)
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: false }])
    await later(2 * 60 * MINUTE)
    await due('failed', 'busy')
    await later(10_000)
    expect((await seen()).filter(({ open }) => open)).toMatchObject([{ detail: 'busy' }])
    await sql`update schedules set updated_at = ${bench.ctx.now()}`
    await later(10_000)
    expect((await seen()).filter(({ open }) => open)).toEqual([])
    await sql`delete from schedules`
    await sql`delete from schedule_runs`
  })
})

describe('times and receivers', () => {
  it('repeats by interval until acknowledged', async () => {
    await addRule({ kind: 'load', threshold: 4, mode: 'repeat', intervalMinutes: 30 })
    await set({ load1: 9 })
    await later(10_000)
    await later(20 * MINUTE)
    expect(await notified()).toEqual(['alert'])
    await later(10 * MINUTE)
    expect(await notified()).toEqual(['alert', 'repeat'])
    await bench.ctx.sql`update alarms set ack_at = now()`
    await later(60 * MINUTE)
    expect(await notified()).toEqual(['alert', 'repeat'])
  })

  it('a condition that was handled, ended by itself, or is long over returns as a new alarm', async () => {
    await addRule({ kind: 'load', threshold: 4 })
    const comesAgain = async () => {
      await set({ load1: 9 })
      await later(10_000)
      return (await seen()).length
    }
    const isOver = async () => {
      await set({ load1: 1 })
      await later(10_000)
    }
    expect(await comesAgain()).toBe(1)
    await isOver()
    expect(await comesAgain()).toBe(1)
    await isOver()
    await bench.ctx.sql`update alarms set handled_at = now()`
    expect(await comesAgain()).toBe(2)
    await bench.ctx.sql`update alarm_rules set enabled = false`
    await later(10_000)
    await bench.ctx.sql`update alarm_rules set enabled = true`
    expect(await comesAgain()).toBe(3)
    await isOver()
    await later(60 * MINUTE)
    expect(await comesAgain()).toBe(4)
  })

  it('an open alarm moves with its device to another group', async () => {
    await addRule({ kind: 'load', threshold: 4 })
    await set({ load1: 9 })
    await later(10_000)
    const { other } = bench.tenants.a.groups
    await bench.ctx.sql`update devices set group_id = ${other} where id = ${device.id}`
    await later(10_000)
    expect(await bench.ctx.sql`select group_id, group_name from alarms`).toEqual([
      { group_id: other, group_name: 'Other' },
    ])
  })

  it('a repetition missed in quiet hours is not made up for: it is due afterwards like any other', async () => {
    const clock = (ms: number) => new Date(bench.ctx.now().getTime() + ms).toISOString().slice(11, 16)
    await addRule({
      kind: 'load',
      threshold: 4,
      mode: 'repeat',
      intervalMinutes: 30,
      quiet: [clock(10 * MINUTE), clock(60 * MINUTE)],
    })
    await set({ load1: 9 })
    await later(10_000)
    await later(40 * MINUTE)
    expect(await notified()).toEqual(['alert'])
    await later(30 * MINUTE)
    expect(await notified()).toEqual(['alert', 'repeat'])
  })

  it('quiet hours hold notices back and send one summary afterwards', async () => {
    const clock = (ms: number) => new Date(bench.ctx.now().getTime() + ms).toISOString().slice(11, 16)
    await addRule({ kind: 'load', threshold: 4, quiet: [clock(-MINUTE), clock(60 * MINUTE)] })
    await set({ load1: 9 }, devices.slice(0, 2))
    await later(10_000)
    await set({ load1: 1 }, devices.slice(0, 1))
    await later(10 * MINUTE)
    expect(await notified()).toEqual([])
    await later(60 * MINUTE)
    await later(10_000)
    expect(await notified()).toEqual(['summary'])
    expect(await seen()).toMatchObject([{ notified: 'all' }, { notified: 'alert' }])
  })

  it('what was held back is marked together, however many alarms it is', async () => {
    const { sql } = bench.ctx
    const clock = (ms: number) => new Date(bench.ctx.now().getTime() + ms).toISOString().slice(11, 16)
    await addRule({ kind: 'load', threshold: 4, quiet: [clock(-MINUTE), clock(60 * MINUTE)] })
    await set({ load1: 9 }, devices.slice(0, 20))
    await later(10_000)
    await set({ load1: 1 }, devices.slice(0, 10))
    await later(10 * MINUTE)
    await sql`create table if not exists marked (n int)`
    await sql`truncate marked`
    await sql`
      create or replace function note_marked() returns trigger language plpgsql as 'begin insert into marked values (1); return null; end'`
    await sql`create or replace trigger note_marked after update of notified on alarms for each statement execute function note_marked()`
    await later(60 * MINUTE)
    await sql`drop trigger note_marked on alarms`
    expect(await notified()).toEqual(['summary'])
    expect((await seen()).map((alarm) => alarm['notified']).sort()).toEqual([
      ...Array(10).fill('alert'),
      ...Array(10).fill('all'),
    ])
    expect((await sql`select 1 from marked`).length).toBeLessThan(10)
  })

  it('a maintenance window suppresses; a condition that still holds when it ends raises an alarm', async () => {
    await addRule({ kind: 'load', threshold: 4 })
    const now = bench.ctx.now()
    const [window] = await bench.ctx.sql<{ id: number }[]>`
      insert into maintenances (customer_id, name, scope, starts_at, ends_at, time_zone)
      values (${device.customerId}, 'w', 'groups', ${now}, ${new Date(now.getTime() + 10 * MINUTE)}, 'UTC') returning id`
    await bench.ctx
      .sql`insert into maintenance_groups (maintenance_id, group_id) values (${window?.id ?? 0}, ${bench.tenants.a.groups.root})`
    await set({ load1: 9 })
    await later(5 * MINUTE)
    expect(await seen()).toEqual([])
    await later(6 * MINUTE)
    expect(await seen()).toMatchObject([{ open: true }])
  })

  it('a maintenance window applies to the devices that it names, and to no others', async () => {
    await addRule({ kind: 'load', threshold: 4 })
    const now = bench.ctx.now()
    const add = (customerId: number, scope: string) => bench.ctx.sql<{ id: number }[]>`
      insert into maintenances (customer_id, name, scope, starts_at, ends_at, time_zone)
      values (${customerId}, ${scope}, ${scope}, ${now}, ${new Date(now.getTime() + 60 * MINUTE)}, 'UTC') returning id`
    await add(bench.tenants.b.customerId, 'customer')
    const [window] = await add(device.customerId, 'devices')
    await bench.ctx
      .sql`insert into maintenance_devices (maintenance_id, device_id) values (${window?.id ?? 0}, ${devices[1]?.id ?? 0})`
    await set({ load1: 9 }, devices.slice(0, 2))
    await later(10_000)
    expect(await seen()).toMatchObject([{ sn: device.sn }])
  })

  it('a rule for a group covers the groups below it, and nothing else', async () => {
    await addRule({ kind: 'load', threshold: 4, scope: 'groups' })
    await bench.ctx
      .sql`update devices set group_id = ${bench.tenants.a.groups.other} where id = ${devices[1]?.id ?? 0}`
    await set({ load1: 9 }, devices.slice(0, 2))
    await later(10_000)
    expect(await seen()).toMatchObject([{ sn: device.sn }])
  })

  it.each([
    ['deleted', sqlOf`update devices set deleted_at = now() where sn = 'ALARM-00000'`, 'deviceDeleted'],
    [
      'moved to another customer',
      sqlOf`update devices set customer_id = (select id from customers where name = 'Bolt'), group_id = (select g.id from groups g join customers c on c.id = g.customer_id where c.name = 'Bolt' and g.is_default) where sn = 'ALARM-00000'`,
      'uncovered',
    ],
    ['switched off', sqlOf`update alarm_rules set enabled = false`, 'ruleOff'],
  ])('%s: its alarms end without a notice', async (_, change, reason) => {
    await addRule({ kind: 'load', threshold: 4 })
    await set({ load1: 9 })
    await later(10_000)
    await bench.ctx.sql.unsafe(change)
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: false, reason, notified: 'all' }])
    expect(await notified()).toEqual(['alert'])
  })

  it('a user whose alarm switch is off gets no notice, not even as a contact', async () => {
    await addRule({ kind: 'load', threshold: 4 })
    await bench.ctx
      .sql`insert into users (username, email, password_hash, type, customer_id, alarm_state) values ('li', 'LI@example.test', '', 'customerAdmin', ${device.customerId}, 0)`
    await set({ load1: 9 })
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: true, notified: 'alert' }])
    expect(await subjects()).toEqual([])
  })

  it('many alarms of one rule at once are one notice', async () => {
    await addRule({ kind: 'load', threshold: 4 })
    await bench.ctx.sql`delete from users where username = 'li'`
    await set({ load1: 9 }, devices)
    await later(10_000)
    expect(await notified()).toEqual(['alert'])
    expect(await subjects()).toHaveLength(1)
  })
})

function sqlOf(parts: TemplateStringsArray): string {
  return parts.join('')
}
