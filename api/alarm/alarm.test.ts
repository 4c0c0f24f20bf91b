import { beforeEach, describe, expect, it } from 'vitest'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest()
const { a, b } = tenants
const [inRoot, inBranch] = [a.devices[0], a.devices[1]]

async function addAlarm(
  device = inRoot,
  more: { kind?: string; ended?: boolean; severity?: string } = {},
): Promise<number> {
  const kind = more.kind ?? 'load'
  const [row] = await context.sql<{ id: number }[]>`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at, ended_at, end_reason)
    values (${device?.customerId ?? 0}, 'Busy', ${kind}, ${more.severity ?? 'major'}, ${device?.id ?? 0}, ${device?.sn ?? ''}, 'D', ${device?.groupId ?? 0}, 'G', now(), now(),
      ${more.ended ? new Date() : null}, ${more.ended ? 'recovered' : null}) returning id`
  return row?.id ?? 0
}
type List = {
  list: { id: number; note: string | null; handledAt: string | null; endReason: string | null }[]
  total: number
  severities: { value: string; count: number }[]
}
const list = (body: object = {}, who: { username: string } = a.admin) =>
  call<List>('alarm/getAlarmList', body, who)

beforeEach(() => context.sql`truncate alarms, alarm_marks, alarm_note_templates cascade`)

it('a note is kept for a customer, and a user of none is refused', async () => {
  const keep = (who: { username: string }) => call('alarm/saveNoteTemplate', { text: 'Fan cleaned' }, who)
  expect((await keep(a.admin)).code).toBe(0)
  expect((await keep(tenants.systemAdmin)).code).toBe(alarmRefusals.customerMissing.code)
})

describe('alarms', () => {
  it('are active or cleared, acknowledged or not, processed or not', async () => {
    const id = await addAlarm()
    await addAlarm(inRoot, { ended: true, kind: 'memory' })
    const total = async (body: object) => (await list(body)).data?.total
    expect(await total({})).toBe(1)
    expect(await total({ state: 'cleared' })).toBe(1)
    expect(await total({ state: 'all' })).toBe(2)
    expect(await total({ ack: 'open' })).toBe(1)
    await call('alarm/acknowledgeAlarms', { alarmIds: [id] }, a.admin)
    expect(await total({ ack: 'open' })).toBe(0)
    expect(await total({ handled: 'unprocessed' })).toBe(1)
  })

  it('that have cleared are not acknowledged: the reply says that nothing changed', async () => {
    const id = await addAlarm(inRoot, { ended: true })
    const reply = await call('alarm/acknowledgeAlarms', { alarmIds: [id] }, a.admin)
    expect([reply.code, reply.data]).toEqual([0, { changed: 0 }])
    expect(await context.sql`select ack_at from alarms`).toEqual([{ ack_at: null }])
  })

  it('are counted by severity with their rows: the counts add up to the total, whatever is filtered', async () => {
    await addAlarm(inRoot, { severity: 'minor' })
    await addAlarm(inBranch, { severity: 'critical', kind: 'memory' })
    await addAlarm(inBranch, { severity: 'critical', ended: true })
    const of = async (body: object) => {
      const { total = 0, severities = [] } = (await list(body)).data ?? {}
      return [total, Object.fromEntries(severities.map(({ value, count }) => [value, count]))]
    }
    expect(await of({})).toEqual([2, { minor: 1, critical: 1 }])
    expect(await of({ state: 'all' })).toEqual([3, { minor: 1, critical: 2 }])
    // Those of the other severities stay, so that one sees what a click would show.
    expect(await of({ severity: 'minor' })).toEqual([1, { minor: 1, critical: 1 }])
    expect(await of({ kind: 'memory' })).toEqual([1, { critical: 1 }])
  })

  it('[§4] handling is saved with a note: unprocessed becomes processed', async () => {
    const id = await addAlarm()
    expect((await call('alarm/handleAlarms', { alarmIds: [id], note: ' ' }, a.admin)).field).toBe('note')
    expect((await call('alarm/handleAlarms', { alarmIds: [id], note: 'Fan cleaned' }, a.admin)).code).toBe(0)
    const [row] = (await list()).data?.list ?? []
    expect(row).toMatchObject({ note: 'Fan cleaned', handledAt: expect.any(String), endReason: null })
  })

  it('a note is not overwritten by a user who had the dialog open', async () => {
    const [id, other] = [await addAlarm(), await addAlarm()]
    const handle = (alarmIds: number[], note: string) =>
      call('alarm/handleAlarms', { alarmIds, note }, a.admin)
    const answers = await Promise.all([handle([id], 'Fuse replaced'), handle([id], 'seen')])
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, alarmRefusals.alarmHandled.code])
    expect(await handle([id], 'again')).toMatchObject({
      code: alarmRefusals.alarmHandled.code,
      message: 'This alarm has been processed meanwhile: its note is kept',
    })
    // The others are handled: with fifty chosen, the work of one more would otherwise be lost.
    expect(await handle([id, other], 'both')).toMatchObject({ code: 0, data: { changed: 1, kept: 1 } })
    const rows = (await list()).data?.list ?? []
    const first = answers[0]?.code === 0 ? 'Fuse replaced' : 'seen'
    expect(rows.find((row) => row.id === id)).toMatchObject({ note: first })
    expect(rows.find((row) => row.id === other)).toMatchObject({
      note: 'both',
      handledAt: expect.any(String),
    })
  })

  it('that have no measurable end are ended by handling; a handled drift is accepted', async () => {
    const id = await addAlarm(inRoot, { kind: 'configDrift' })
    await context.sql`update devices set config_hash = 'new' where id = ${inRoot?.id ?? 0}`
    await context.sql`insert into alarm_marks (device_id, config_hash) values (${inRoot?.id ?? 0}, 'old')`
    await call('alarm/handleAlarms', { alarmIds: [id], note: 'ours' }, a.admin)
    expect((await list({ state: 'cleared' })).data?.list).toMatchObject([{ id, endReason: 'handled' }])
    expect(await context.sql`select config_hash from alarm_marks`).toEqual([{ config_hash: 'new' }])
  })

  it('are visible to a normal user in their groups only, and handled there only', async () => {
    const other = await addAlarm(inRoot)
    const mine = await addAlarm(inBranch)
    expect((await list({}, a.operator)).data?.list.map(({ id }) => id)).toEqual([mine])
    expect((await call('alarm/acknowledgeAlarms', { alarmIds: [mine, other] }, a.operator)).code).toBe(
      sessionRefusals.noPermission.code,
    )
    expect((await call('alarm/acknowledgeAlarms', { alarmIds: [mine] }, a.operator)).code).toBe(0)
    expect((await list({}, b.admin)).data?.total).toBe(0)
  })

  it('are counted for the bell: active and not acknowledged, with the worst severity', async () => {
    await addAlarm(inRoot, { severity: 'minor' })
    const id = await addAlarm(inBranch, { severity: 'critical' })
    await addAlarm(inBranch, { ended: true })
    const bell = async () => (await call('alarm/getAlarmCount', {}, a.admin)).data
    expect(await bell()).toMatchObject({ open: 2, active: 2, worst: 'critical' })
    await call('alarm/acknowledgeAlarms', { alarmIds: [id] }, a.admin)
    expect(await bell()).toMatchObject({ open: 1, active: 2, worst: 'minor' })
  })
})

describe('channels', () => {
  const create = (body: object) =>
    call<{ id: number; secret: string | null }>(
      'alarm/createAlarmChannel',
      { name: 'Hook', kind: 'webhook', secretUrl: 'https://example.com/h?key=s3cret', ...body },
      a.admin,
    )
  beforeEach(() => context.sql`truncate alarm_channels cascade`)

  it('the secret is shown once and stored encrypted, and so is the address', async () => {
    const made = await create({})
    expect(made.data?.secret).toMatch(/^whsec_/)
    const rows = JSON.stringify(await context.sql`select * from alarm_channels`)
    expect(rows).not.toContain(made.data?.secret?.slice(6))
    expect(rows).not.toContain('s3cret')
    const shown = JSON.stringify(await call('alarm/getAlarmChannelList', {}, a.admin))
    expect(shown).not.toContain('s3cret')
    expect(shown).toContain('"https://example.com"')
    const log = JSON.stringify(await context.sql`select * from operations`)
    expect(log).not.toContain(made.data?.secret?.slice(6))
    expect(log).not.toContain('s3cret')
  })

  it.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:5432/',
    'ftp://example.com/',
  ])('are never sent to %s', async (secretUrl) => {
    expect(await create({ secretUrl })).toMatchObject({ field: 'secretUrl' })
  })

  it('of SMS need a template that is JSON and contains the phone number', async () => {
    expect((await create({ kind: 'sms', template: 'x' })).code).toBe(alarmRefusals.templateInvalid.code)
    expect((await create({ kind: 'sms', template: '{"to":"{phone}"}' })).code).toBe(0)
  })

  it('are not deleted while a rule uses them', async () => {
    const made = await create({})
    await context.sql`truncate alarm_rules cascade`
    const rule = { name: 'R', kind: 'offline', threshold: 5, scope: 'customer', channelIds: [made.data?.id] }
    expect((await call('alarm/createAlarmRule', rule, a.admin)).code).toBe(0)
    expect((await call('alarm/deleteAlarmChannel', { channelId: made.data?.id }, a.admin)).code).toBe(
      alarmRefusals.channelInUse.code,
    )
  })
})
