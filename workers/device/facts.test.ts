/** The latest report of each section applies; sections are independent; repeats change nothing. */
import { beforeAll, describe, expect, it } from 'vitest'
import { probe } from '#schema/device/probe'
import { scheduleRun } from '#schema/device/schedule'
import { facts } from '#schema/device/section'
import { simSwitch } from '#schema/device/sim-switch'
import type { Uplink } from '#schema/kit/message'
import { type TestContext, testContext } from '#test/harness'
import { seedTenants, type TestDevice } from '#test/tenants'
import type { Report } from '../kit/report.ts'
import { factsReport } from './facts.ts'
import { scheduleRunReport } from './schedule-run.ts'
import { simSwitchReport } from './sim-switch.ts'

let context: TestContext
let device: TestDevice
const T0 = Date.UTC(2026, 10, 21, 10)

beforeAll(async () => {
  context = await testContext()
  device = (await seedTenants(context)).a.devices[0] as TestDevice
})

/** Applies messages as one batch, twice. */
async function tell(report: Report, ...messages: { at: number; [field: string]: unknown }[]): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    const kept = new Map()
    for (const message of messages)
      report.apply({ kept } as never, {
        device: { id: device.id } as never,
        receivedAt: new Date(message.at),
        payload: report.uplink.payload.parse(message),
      })
    await context.sql.begin(async (tx) => {
      for (const { rows, write } of kept.values()) if (rows.length > 0) await write(tx, rows)
    })
  }
}
const sections = async () =>
  Object.fromEntries(
    (
      await context.sql<{ name: string; value: unknown }[]>`
      select name, value from device_sections where device_id = ${device.id}`
    ).map((row) => [row.name, row.value]),
  )

describe('facts', () => {
  it('replaces a named section, keeps the others', async () => {
    await tell(factsReport, { at: T0, hosts: [{ mac: '02:00:00:00:00:01' }], lan: { ip: '192.168.1.1' } })
    await tell(
      factsReport,
      { at: T0 + 1000, hosts: [{ mac: '02:00:00:00:00:02' }] },
      { at: T0 + 2000, hosts: [] },
    )
    expect(await sections()).toEqual({ hosts: [], lan: { ip: '192.168.1.1' } })
  })

  it('applies in the order of arrival: a device whose clock was set back is not ignored until it has caught up', async () => {
    const lan = (ip: string) => ({ lan: { ip } })
    await tell(factsReport, { at: T0 + 5000, ...lan('192.168.1.5') })
    await tell(factsReport, { at: T0 - 3 * 3_600_000, ...lan('192.168.1.6') })
    expect(await sections()).toMatchObject(lan('192.168.1.6'))
    await tell(factsReport, { at: T0 + 9000, ...lan('192.168.1.7') }, { at: T0, ...lan('192.168.1.8') })
    expect(await sections()).toMatchObject(lan('192.168.1.8'))
  })

  it('the SIM state of the device is that of the SIM in use; without one, of the first card present', async () => {
    const state = async () =>
      (await context.sql`select sim_state as state from devices where id = ${device.id}`)[0]?.['state']
    const slot = (number: number, simState: string, active = false) => ({
      slot: number,
      state: simState,
      active,
    })
    expect(await state()).toBeNull()
    await tell(factsReport, { at: T0, mobile: [slot(1, 'blocked'), slot(2, 'ready', true)] })
    expect(await state()).toBe('ready')
    await tell(factsReport, { at: T0 + 10, mobile: [slot(1, 'absent'), slot(2, 'pinRequired')] })
    expect(await state()).toBe('pinRequired')
    await tell(factsReport, { at: T0 + 20, mobile: [] })
    expect(await state()).toBeNull()
  })

  it('changes nothing if no section is named', async () => {
    const before = await sections()
    await tell(factsReport, { at: T0 + 9000 })
    expect(await sections()).toEqual(before)
  })
})

describe('simSwitch', () => {
  it('is recorded once, however often it is reported', async () => {
    await tell(simSwitchReport, { at: T0, from: 1, to: 2, reason: 'signal' })
    const rows =
      await context.sql`select from_slot, to_slot, reason from sim_switches where device_id = ${device.id}`
    expect([...rows]).toEqual([{ from_slot: 1, to_slot: 2, reason: 'signal' }])
  })

  it('of a device without a clock is not lost when several are reported at the same time', async () => {
    const kept = new Map()
    for (const at of [1000, 2000, 3000])
      simSwitchReport.apply({ kept } as never, {
        device: { id: device.id } as never,
        receivedAt: new Date(T0 + 60_000),
        payload: simSwitch.payload.parse({ at, from: 1, to: 2, reason: 'manual' }),
      })
    await context.sql.begin(async (tx) => {
      for (const { rows, write } of kept.values()) await write(tx, rows)
    })
    const [found] = await context.sql<{ total: number }[]>`
      select count(*)::int as total from sim_switches where device_id = ${device.id} and reason = 'manual'`
    expect(found).toEqual({ total: 3 })
  })
})

describe('scheduleRun', () => {
  const runs = () =>
    context.sql`select state, by from schedule_runs where device_id = ${device.id} order by due_at`
  it('is ignored from a device without a schedule', async () => {
    await tell(scheduleRunReport, { at: T0, dueAt: T0 - 1000, result: 'done' })
    expect([...(await runs())]).toEqual([])
  })

  it('corrects a run that was marked as missed, and creates none in the far past or future', async () => {
    await context.sql`
      insert into schedules (device_id, customer_id, enabled, kind, time, weekdays, time_zone)
      values (${device.id}, ${device.customerId}, true, 'daily', '03:00', '{}', 'UTC')`
    await context.sql`
      insert into schedule_runs (device_id, due_at, state, reason) values (${device.id}, ${new Date(T0 - 1000)}, 'missed', 'offline')`
    await tell(scheduleRunReport, { at: T0, dueAt: T0 - 1000, result: 'done' })
    await tell(scheduleRunReport, { at: T0, dueAt: T0 + 3_600_000, result: 'done' })
    await tell(scheduleRunReport, { at: T0, dueAt: T0 - 90 * 86_400_000, result: 'done' })
    expect([...(await runs())]).toEqual([{ state: 'done', by: 'device' }])
  })
})

describe('the bounds of what devices report', () => {
  const mac = '02:00:00:00:00:01'
  const hostile: [string, Uplink, object][] = [
    ['300 hosts', facts, { at: T0, hosts: Array.from({ length: 300 }, () => ({ mac })) }],
    ['a host name with control characters', facts, { at: T0, hosts: [{ mac, name: 'a\u0000b' }] }],
    ['a third SIM', facts, { at: T0, mobile: [{ slot: 3, state: 'ready', active: true }] }],
    ['a service that is a path', facts, { at: T0, services: [{ name: '../../bin/sh', state: 'running' }] }],
    ['a service that is an option', facts, { at: T0, services: [{ name: '-rf', state: 'running' }] }],
    ['more answers than possible', probe, { at: T0, target: 'x', sent: 5, received: 5000 }],
    ['no request at all', probe, { at: T0, target: 'x', sent: 0, received: 0 }],
    ['a time without end', probe, { at: T0, target: 'x', sent: 1, received: 1, avgMs: 1e308 }],
    ['a reason of its own', simSwitch, { at: T0, from: 1, to: 2, reason: '<script>' }],
    ['an ICCID that is none', simSwitch, { at: T0, from: 1, to: 2, reason: 'signal', toIccid: "' or 1=1" }],
    ['a moment before time', scheduleRun, { at: T0, dueAt: -1, result: 'done' }],
  ]
  it.each(hostile)('%s is refused', (_, uplink, payload) => {
    expect(uplink.payload.safeParse(payload).success).toBe(false)
  })
})
