import { describe, expect, it } from 'vitest'
import { hashSecret } from '#infra/secrets'
import type { importDevices } from '#schema/device/device'
import { deviceRefusals } from '#schema/device/device-refusals'
import type { ReplyOf } from '#schema/kit/call'
import { csvLine } from '#schema/kit/csv'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context

const load = (csv: string, body: object = {}, who: { username: string } = a.admin, language = 'en-US') =>
  call<ReplyOf<typeof importDevices>>('device/importDevices', { csv, ...body }, who, {
    'accept-language': language,
  })
const rowsOf = async (csv: string, body: object = {}) => (await load(csv, body)).data?.rows ?? []
const countDevices = async () => (await sql`select count(*) as count from devices`)[0]?.['count']

describe('a dry run', () => {
  it('reports for each line what would happen and why, and writes nothing', async () => {
    const before = await countDevices()
    const own = a.devices[0]?.sn
    const foreign = b.devices[0]?.sn
    const csv = [
      'sn,name,group,address',
      'I-1,Kiosk 1,Branch,Street 1',
      `${own},again,Branch,`,
      `${foreign},steal,Branch,`,
      'I-1,twice,Branch,',
      'bad sn,x,Branch,',
      'I-2,x,Nowhere,',
      'I-3,x,,',
      `I-4,${'n'.repeat(65)},Branch,`,
      '"I-5","quoted, ""name""",Other,"two\nlines"',
    ].join('\n')
    const answer = await load(csv)
    expect(answer.data).toMatchObject({ create: 2, skip: 1, refuse: 6 })
    expect(answer.data?.rows.map(({ line, sn, outcome, reason }) => [line, sn, outcome, reason])).toEqual([
      [2, 'I-1', 'create', null],
      [3, own, 'skip', 'The device exists already'],
      [4, foreign, 'refuse', `Serial number ${foreign} already exists`],
      [5, 'I-1', 'refuse', 'Same serial number as in line 2'],
      [6, 'bad sn', 'refuse', 'sn must be 1 to 64 letters, digits, - or _'],
      [7, 'I-2', 'refuse', 'Group Nowhere does not exist'],
      [8, 'I-3', 'refuse', 'No group is named'],
      [9, 'I-4', 'refuse', 'name must have at most 64 characters'],
      [10, 'I-5', 'create', null],
    ])
    expect(await countDevices()).toBe(before)
  })

  it('gives its reasons in the user’s language', async () => {
    const answer = await load('sn\nI-3', {}, a.admin, 'zh-CN')
    expect(answer.data?.rows[0]?.reason).toBe('未指定分组')
  })

  it('puts lines without a group into the group of the request', async () => {
    expect(await rowsOf('sn\nI-3', { groupId: a.groups.other })).toMatchObject([{ outcome: 'create' }])
    expect((await load('sn\nI-3', { groupId: b.groups.other })).code).toBe(sessionRefusals.noPermission.code)
  })

  it('refuses a line with more cells than columns, instead of cutting off its address', async () => {
    const csv =
      'sn,name,group,address\nI-6,Shop,Branch,1 Example Road, Berlin, Germany\nI-7,Shop,Branch,"1, Road",,'
    const rows = await rowsOf(csv)
    expect(rows.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'refuse'],
      [3, 'create'],
    ])
    expect(rows[0]?.reason).toContain('6 cells')
  })

  it.each(['\n', '\r\n', '\r'])('numbers lines as the file does (line break %j)', async (lineBreak) => {
    const csv = [
      '',
      'sn,name,group',
      'I-8,"two',
      'lines",Branch',
      ' ,,',
      'bad sn,x,Branch',
      'I-8,x,Branch',
    ].join(lineBreak)
    const rows = await rowsOf(csv)
    expect(rows.map(({ line }) => line)).toEqual([3, 6, 7])
    expect(rows[2]?.reason).toBe('Same serial number as in line 3')
  })

  it('ignores columns without a heading at the end, where nothing is', async () => {
    const rows = await rowsOf('sn,group,, \r\nI-3,Branch,,\r\nI-4,Branch,,x\r\n,,,\r\n,,,\r\n')
    expect(rows.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'create'],
      [3, 'refuse'],
    ])
    expect((await load('sn,,group\nI-3,,Branch')).code).toBe(deviceRefusals.csvColumn.code)
  })

  it('a cell that was exported as a text, for it would be a formula, is what it was', async () => {
    const csv = `sn,name,group,address\n${csvLine(['-F1', '+49 Shop', 'Branch', '=A1'])}`
    expect((await load(csv, { dryRun: false })).data).toMatchObject({ create: 1 })
    const [row] = await sql`select name, address from devices where sn = '-F1'`
    expect(row).toEqual({ name: '+49 Shop', address: '=A1' })
    await sql`delete from devices where sn = '-F1'`
  })

  it('finds a group by a name that looks the same', async () => {
    expect(await rowsOf('sn,group\nI-3,  bRANCH \nI-4,Ｂｒａｎｃｈ')).toMatchObject([
      { outcome: 'create' },
      { outcome: 'create' },
    ])
  })

  it('never takes a group of another customer by its name', async () => {
    await sql`insert into groups (customer_id, name, level) values (${b.customerId}, 'Only Bolt', 1)`
    expect(await rowsOf('sn,group\nI-3,Only Bolt')).toMatchObject([
      { outcome: 'refuse', reason: 'Group Only Bolt does not exist' },
    ])
  })

  it('requires a platform user to choose if several customers have a group of that name', async () => {
    const csv = 'sn,group\nI-3,Branch'
    const open = await load(csv, {}, tenants.systemAdmin)
    expect(open.data?.rows[0]?.reason).toContain('Several customers')
    const chosen = await load(csv, { groupId: a.groups.root }, tenants.systemAdmin)
    expect(chosen.data?.rows[0]?.outcome).toBe('create')
  })
})

describe('a file that is not a valid table is refused as a whole', () => {
  it.each([
    ['an unknown column, by name', 'sn,serial,group\nI-1,x,y', deviceRefusals.csvColumn.code, 'serial'],
    ['no serial numbers', 'name,group\nx,Branch', deviceRefusals.csvNoColumn.code, 'sn'],
    ['an open quote', 'sn,name\nI-1,"open', deviceRefusals.csvUnreadable.code, 'line 2'],
    [
      'an open quote after a cell of two lines, by its own line',
      '\n\nsn,name\nI-1,"two\nlines"\nI-2,"open',
      deviceRefusals.csvUnreadable.code,
      'line 6',
    ],
    ['a repeated column', 'sn,name, Name\nI-1,x,y', deviceRefusals.csvColumnTwice.code, 'name'],
    ['nothing', '', deviceRefusals.csvNoColumn.code, 'sn'],
  ])('%s', async (_what, csv, code, named) => {
    const answer = await load(csv)
    expect(answer).toMatchObject({ code, field: 'csv' })
    expect(answer.message).toContain(named)
  })

  it('more than 20,000 lines', async () => {
    const csv = `sn\n${Array.from({ length: 20_001 }, (_, i) => `L-${i}`).join('\n')}`
    expect((await load(csv)).code).toBe(deviceRefusals.csvTooLong.code)
    // Empty lines count as lines of the file: nothing after them is silently omitted.
    const spaced = `sn\n${Array.from({ length: 10_100 }, (_, i) => `L-${i}`).join('\n\n')}`
    expect((await load(spaced)).code).toBe(deviceRefusals.csvTooLong.code)
  })
})

describe('a real run', () => {
  it('creates devices with secrets that are returned once, and repeating it creates nothing', async () => {
    const csv = '\uFEFFsn;name;group;address\r\nR-1;Kiosk 1;Branch;Street 1\r\nR-2;;Other;\r\n'
    const answer = await load(csv, { dryRun: false })
    expect(answer.data).toMatchObject({ create: 2, refuse: 0 })
    const rows = await sql`
      select d.sn, d.name, d.address, d.group_id as group, d.customer_id as customer, d.secret_hash as hash, s.online
      from devices d join device_states s on s.device_id = d.id where d.sn like 'R-_' order by d.sn`
    const hash = (i: number) => hashSecret(answer.data?.rows[i]?.secret ?? '')
    const shared = { customer: a.customerId, online: false }
    expect(rows).toEqual([
      { ...shared, sn: 'R-1', name: 'Kiosk 1', address: 'Street 1', group: a.groups.branch, hash: hash(0) },
      { ...shared, sn: 'R-2', name: 'R-2', address: null, group: a.groups.other, hash: hash(1) },
    ])
    const again = await load(csv, { dryRun: false })
    expect(again.data).toMatchObject({ create: 0, skip: 2 })
    expect(again.data?.rows.every((row) => row.secret === null)).toBe(true)
  })

  it('accepts 20,000 lines', async () => {
    const csv = `sn,name,group\n${Array.from({ length: 20_000 }, (_, i) => `BIG-${i},Kiosk ${i},Branch`).join('\n')}`
    expect((await load(csv, { dryRun: false })).data).toMatchObject({ create: 20_000, skip: 0, refuse: 0 })
    expect((await load(csv)).data).toMatchObject({ create: 0, skip: 20_000 })
  })

  it('of one file twice at the same time creates each device once', async () => {
    const csv = `sn,group\n${Array.from({ length: 300 }, (_, i) => `T-${i},Branch`).join('\n')}`
    const answers = await Promise.all([load(csv, { dryRun: false }), load(csv, { dryRun: false })])
    expect(answers.reduce((sum, answer) => sum + (answer.data?.create ?? 0), 0)).toBe(300)
    const secrets = answers
      .flatMap((answer) => answer.data?.rows.map((row) => row.secret) ?? [])
      .filter(Boolean)
    const kept = await sql<{ hash: string }[]>`select secret_hash as hash from devices where sn like 'T-%'`
    expect(kept.map((row) => row.hash).sort()).toEqual(
      secrets.map((secret) => hashSecret(secret ?? '')).sort(),
    )
  })

  it('keeps secrets and the file out of the operation log', async () => {
    const [row] =
      await sql`select body from operations where call = 'device/importDevices' order by id desc limit 1`
    expect(row?.['body']).toMatchObject({ csv: '***' })
  })
})
