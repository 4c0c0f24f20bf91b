import { beforeEach, describe, expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import { accountRefusals } from '#schema/people/account-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { reportRefusals } from '#schema/report/report-refusals'
import { type getReportScheduleList, SCHEDULES_MAX } from '#schema/report/report-schedule'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest()
const { a, b } = tenants
const { sql } = context
const body = {
  report: 'online',
  range: '7d',
  name: 'Monday',
  every: 'week',
  weekday: 1,
  at: '08:30',
  zone: 'Asia/Shanghai',
  recipients: ['One@Example.test', 'one@example.test'],
}
const add = (more: object = {}, who = a.admin) =>
  call<{ id: number }>('report/addReportSchedule', { ...body, ...more }, who)
const list = async (who = a.admin) =>
  (await call<ReplyOf<typeof getReportScheduleList>>('report/getReportScheduleList', {}, who)).data?.list ??
  []

/** As by the link in the mail that its first schedule has sent. */
const confirm = (email: string) =>
  sql`update recipients set confirmed_at = now(), hash = null where email = ${email}`

beforeEach(async () => {
  await sql`truncate report_schedules, send_budgets`
})

describe('scheduled reports', () => {
  it('are stored with their filters, each recipient once, the next run in local time', async () => {
    const { code } = await add({ groupId: a.groups.branch, model: 'R200' })
    expect(code).toBe(0)
    const [row] = await list()
    expect(row).toMatchObject({
      report: 'online',
      range: '7d',
      groupName: 'Branch',
      model: 'R200',
      weekday: 1,
      at: '08:30',
      recipients: ['one@example.test'],
      owner: a.admin.username,
      enabled: true,
    })
    expect(row?.nextRunAt).toMatch(/T00:30:00/)
    expect(new Date(row?.nextRunAt ?? 0).getUTCDay()).toBe(1)
  })

  it('are changed, sent on request and deleted', async () => {
    const id = (await add()).data?.id
    const { report: _, ...rest } = body
    expect(
      (
        await call(
          'report/modifyReportSchedule',
          { ...rest, id, every: 'day', at: '06:00', enabled: false },
          a.admin,
        )
      ).code,
    ).toBe(0)
    expect((await list())[0]).toMatchObject({ every: 'day', at: '06:00', enabled: false })
    await confirm('one@example.test')
    expect((await call('report/sendReportNow', { id }, a.admin)).code).toBe(0)
    const [asked] = await sql`select requested_at from report_schedules where id = ${id ?? 0}`
    expect(asked?.['requested_at']).toBeInstanceOf(Date)
    expect((await call('report/deleteReportSchedule', { id }, a.admin)).code).toBe(0)
    expect(await list()).toEqual([])
  })

  it('keep a run that is due or held when something else is edited; another time begins anew', async () => {
    const id = (await add()).data?.id
    const due = new Date(Date.now() - 60_000)
    await sql`update report_schedules set next_run_at = ${due}, held_until = now() + interval '1 hour'`
    const { report: _, ...rest } = body
    const modify = (more: object) => call('report/modifyReportSchedule', { ...rest, id, ...more }, a.admin)
    expect((await modify({ name: 'Renamed' })).code).toBe(0)
    expect((await list())[0]).toMatchObject({ name: 'Renamed', nextRunAt: due.toISOString() })
    expect((await modify({ at: '08:31' })).code).toBe(0)
    expect(Date.parse(String((await list())[0]?.nextRunAt))).toBeGreaterThan(Date.now())
    // What fell due while it was switched off is not sent.
    await sql`update report_schedules set next_run_at = ${due}, enabled = false`
    expect((await modify({ at: '08:31' })).code).toBe(0)
    expect(Date.parse(String((await list())[0]?.nextRunAt))).toBeGreaterThan(Date.now())
  })

  it('are not sent on request while no recipient has confirmed, and are once one of them has', async () => {
    const id = (await add({ recipients: ['new@example.test', 'other@example.test'] })).data?.id
    const send = () => call('report/sendReportNow', { id }, a.admin)
    const asked = async () => (await sql`select requested_at from report_schedules`)[0]?.['requested_at']
    expect((await send()).code).toBe(reportRefusals.noneConfirmed.code)
    expect(await asked()).toBeNull()
    await confirm('other@example.test')
    expect((await send()).code).toBe(0)
    expect(await asked()).toBeInstanceOf(Date)
  })

  it('are not sent manually beyond the budget of the customer; the refusal contains the waiting time', async () => {
    const id = (await add()).data?.id
    await confirm('one@example.test')
    const send = () => call('report/sendReportNow', { id }, a.admin)
    expect((await send()).code).toBe(0)
    await sql`insert into send_budgets (customer_id, purpose, used, counted_at) values (${a.customerId}, 'report', 110, now())`
    expect(await send()).toMatchObject({
      code: accountRefusals.sendBudgetSpent.code,
      message: 'The 100 that may be sent within an hour are used up, try again in 7 minutes',
    })
  })

  it('one that stopped by itself is not sent; enabling it tries again', async () => {
    const id = (await add()).data?.id
    await sql`update report_schedules set enabled = false, stopped = 'ownerDisabled'`
    expect((await call('report/sendReportNow', { id }, a.admin)).code).toBe(
      reportRefusals.scheduleStopped.code,
    )
    const { report: _, ...rest } = body
    await call('report/modifyReportSchedule', { ...rest, id }, a.admin)
    expect((await list())[0]).toMatchObject({ enabled: true, stopped: null })
  })

  it('belong to their owner; administrators see their customer’s, and never another’s', async () => {
    await add({ name: 'of the operator' }, a.operator)
    const id = (await add()).data?.id
    expect((await list(a.operator)).map(({ name }) => name)).toEqual(['of the operator'])
    expect(await list()).toHaveLength(2)
    expect(await list(b.admin)).toEqual([])
    const { report: _, ...rest } = body
    for (const who of [a.operator, b.admin]) {
      for (const [name, sent] of [
        ['modifyReportSchedule', { ...rest, id }],
        ['deleteReportSchedule', { id }],
        ['sendReportNow', { id }],
      ] as const)
        expect((await call(`report/${name}`, sent, who)).code).toBe(sessionRefusals.noPermission.code)
    }
    expect((await add({ groupId: b.groups.root })).code).toBe(sessionRefusals.noPermission.code)
    expect((await add({ deviceId: b.devices[0]?.id })).code).toBe(sessionRefusals.noPermission.code)
    expect((await add({ groupId: a.groups.root }, a.operator)).code).toBe(sessionRefusals.noPermission.code)
  })

  it('need the permission for the report itself', async () => {
    await sql`update roles set function_ids = array_remove(function_ids, 8000) where name = 'operator'`
    expect((await add({}, a.operator)).code).toBe(sessionRefusals.noPermission.code)
    await sql`update roles set function_ids = function_ids || 8000 where name = 'operator'`
  })

  it('are limited in recipients, times and number per user', async () => {
    const refused = async (more: object) => (await add(more)).field
    expect(await refused({ recipients: [] })).toBe('recipients')
    expect((await refused({ recipients: ['not an address'] }))?.startsWith('recipients')).toBe(true)
    expect(await refused({ recipients: Array.from({ length: 21 }, (_, i) => `r${i}@example.test`) })).toBe(
      'recipients',
    )
    expect(await refused({ at: '25:00' })).toBe('at')
    // PostgreSQL does not know the last one.
    for (const zone of ['Mars/Base', '+0800', 'US/Pacific-New'])
      expect(await refused({ zone }), zone).toBe('zone')
    expect(await refused({ range: 'custom' })).toBe('range')
    await sql`
      insert into report_schedules (customer_id, owner_id, name, report, filter, every, day_number, minute, zone, language, recipients, next_run_at)
      select ${a.customerId}, ${a.admin.id}, 'n' || n, 'online', '{}', 'day', 1, 0, 'UTC', 'en-US', '{}', now() from generate_series(1, ${SCHEDULES_MAX}) n`
    expect((await add()).code).toBe(reportRefusals.tooManySchedules.code)
  })
})
