import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { csvCell } from '#schema/kit/csv'
import { languages } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { addDevices } from '#test/tenants'

const { app, token, call, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context

async function exported(body: object, who: { username: string } = a.admin, language = 'en-US') {
  const response = await app.inject({
    method: 'POST',
    url: '/api/device/exportDevices',
    headers: { token: await token(who), 'accept-language': language },
    payload: body,
  })
  const [header, ...rows] = Papa.parse<string[]>(response.payload.replace(/^\uFEFF/, ''), {
    skipEmptyLines: true,
  }).data
  return { response, header: header ?? [], rows }
}

describe('the CSV export', () => {
  it('is UTF-8 with a byte order mark, a file name and a header in the user’s language', async () => {
    const { response, header } = await exported({}, a.admin, 'zh-CN')
    expect(response.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.headers['content-disposition']).toMatch(/^attachment; filename="devices-[\w-]+\.csv"/)
    expect(header.slice(0, 3)).toEqual(['序列号', '名称', '分组'])
  })

  it.each(languages)('names its columns as the list does, and states in words: %s', async (language) => {
    const url = new URL(`../../locales/${language}/device.json`, import.meta.url)
    const { column: shown } = JSON.parse(readFileSync(url, 'utf8')) as { column: Record<string, string> }
    const columns = ['state', 'deviceName', 'deviceSn', 'groupName', 'model', 'firmware', 'ip', 'lastSeenAt']
    const { header, rows } = await exported({ columns }, a.admin, language)
    expect(header).toEqual([
      ...columns.slice(0, -1).map((name) => shown[name]),
      `${shown['lastSeenAt']} (UTC)`,
    ])
    expect(['从未上线', '從未上線', 'Never seen']).toContain(rows[0]?.[0])
  })

  it.each([
    ['zh-CN', '未插卡', '心跳超时'],
    ['zh-TW', '未插卡', '心跳逾時'],
    ['en-US', 'No card', 'Heartbeat lost'],
  ] as const)(
    'says the state of the SIM and why a device is offline as the list does: %s',
    async (language, sim, reason) => {
      const { id = 0, sn = '' } = a.devices[0] ?? {}
      await sql`update devices set sim_state = 'absent' where id = ${id}`
      await sql`insert into device_states (device_id, offline_reason) values (${id}, 'keepalive')
      on conflict (device_id) do update set offline_reason = excluded.offline_reason`
      const columns = ['simState', 'offlineReason']
      const { rows } = await exported({ columns, search: sn }, a.admin, language)
      expect(rows).toEqual([[sim, reason]])
    },
  )

  it('shows times in the reader’s zone, and names the zone', async () => {
    await sql`update devices set created_at = '2026-01-31T20:30:00Z' where customer_id = ${a.customerId}`
    await sql`update device_states set last_seen_at = '2026-01-31T20:30:01Z'`
    const { header, rows } = await exported({ columns: ['createdAt', 'lastSeenAt'], zone: 'Asia/Shanghai' })
    expect(header).toEqual(['Created (Asia/Shanghai)', 'Last seen (Asia/Shanghai)'])
    expect(rows[0]).toEqual(['2026-02-01 04:30:00', '2026-02-01 04:30:01'])
  })

  it('escapes every cell that a spreadsheet would run [threats 36]', async () => {
    const names = [
      '=HYPERLINK("http://evil","x")',
      '+1+1',
      '-2+3',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      'harm"less, really',
    ]
    const made = await addDevices(sql, a.customerId, a.groups.other, 'F-', names.length)
    for (const [i, name] of names.entries())
      await sql`update devices set name = ${name}, address = ${name} where id = ${made[i]?.id ?? 0}`
    const { rows } = await exported({ search: 'F-0000', columns: ['deviceName', 'address'] })
    expect(rows).toEqual(
      names.map((name) => (name.startsWith('harm') ? [name, name] : [`'${name}`, `'${name}`])),
    )
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
  })

  it('keeps numbers numbers', () => {
    expect([csvCell(-71), csvCell(null), csvCell('-71'), csvCell('-71+1'), csvCell(false)]).toEqual([
      '-71',
      '',
      '-71',
      `"'-71+1"`,
      'false',
    ])
  })

  it('returns the selected columns in the selected order, and refuses unknown ones', async () => {
    const { header, rows } = await exported({
      columns: ['model', 'deviceSn'],
      search: a.devices[0]?.sn ?? '',
    })
    expect(header).toEqual(['Model', 'Serial number'])
    expect(rows).toEqual([['R200', a.devices[0]?.sn]])
    for (const column of ['secretHash', 'deviceId', '__proto__', 'toString'])
      expect(await call('device/exportDevices', { columns: [column] }, a.admin)).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'columns',
      })
  })

  it('contains every matching row, of the own customer only', async () => {
    await addDevices(sql, a.customerId, a.groups.other, 'MANY-', 4_700)
    await addDevices(sql, b.customerId, b.groups.other, 'MANYB-', 10)
    const { rows } = await exported({ search: 'MANY' })
    expect(rows).toHaveLength(4_700)
    expect(new Set(rows.map((row) => row[0])).size).toBe(4_700)
    expect(rows.every((row) => row[0]?.startsWith('MANY-'))).toBe(true)
    const foreign = await call('device/exportDevices', { groupId: b.groups.root }, a.admin)
    expect(foreign.code).toBe(sessionRefusals.noPermission.code)
  })
})
