/** Every declared list behaves as declared: orders, search, pages. A new list with rows is tested automatically. */
import { beforeAll, describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { isListCall, type ListCall } from '#schema/kit/list'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from './api-client.ts'
import type { Furnished } from './furnish.ts'
import { furnishAll } from './furnish-all.ts'
import { bodyFor } from './sample-body.ts'

type Row = Readonly<Record<string, unknown>>
type Answer = { list: Row[]; total: number }

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a, superAdmin } = tenants
const lists = await gatherDeclared(isListCall)
const furnished: Furnished = { shared: {}, own: {} }

/** Special for LIKE and CSV. */
const STRANGE = '50%_\\ off'

/** Adds a row to a table, a copy of its first one with changed columns. */
async function another(table: string, changes: Row): Promise<void> {
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = ${table} and is_identity = 'NO' and is_generated = 'NEVER' and not (column_name = 'id' and data_type = 'integer')`
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  await sql`
    insert into ${sql(table)} (${sql.unsafe(names)})
    select ${sql.unsafe(names)} from jsonb_populate_record(null::${sql(table)},
      coalesce((select to_jsonb(t) from ${sql(table)} t order by t.ctid limit 1), '{}') || ${sql.json(changes as never)})`
}

const before = new Date(Date.now() - 60_000).toISOString()
const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

/** Rows for sorting and searching: a special name, unknown beside known values, equal times. */
async function addRows(): Promise<void> {
  const deviceId = a.devices[0]?.id ?? 0
  await another('contacts', { name: STRANGE, phone: '2', email: 'other@example.test' })
  for (const table of ['alarm_channels', 'alarm_rules', 'maintenances'])
    await another(table, { name: STRANGE })
  await another('customers', { name: STRANGE })
  await another('tasks', { name: STRANGE, request_id: uuid(1) })
  await another('packages', { name: STRANGE, version: 'other' })
  for (const port of [9001, 9002])
    await another('n2n_servers', {
      name: STRANGE,
      address: '192.0.2.1',
      port,
      version: 3,
      token_hash: String(port),
      created_at: before,
    })
  await another('report_schedules', { name: STRANGE })
  await another('api_tokens', { name: STRANGE, hash: 'another', user_id: a.admin.id })
  await another('saved_views', { name: STRANGE, user_id: superAdmin.id, customer_id: null })
  await another('roles', { name: STRANGE })
  await another('alarms', { device_name: STRANGE, ended_at: null, device_id: a.devices[1]?.id })
  await another('alarm_deliveries', { recipient: STRANGE })
  await another('enrolment_keys', { label: STRANGE, hash: 'another' })
  await another('mails', { subject: STRANGE })
  await another('users', { username: 'strange', realname: STRANGE, email: null, last_login_at: null })
  await another('logins', { username: STRANGE })
  await another('operations', { object: STRANGE })
  await another('printer_drivers', { sign: 'strange', address: STRANGE })
  await another('printers', { local_id: 'usb-2', alias: STRANGE, vendor: 'Epson', last_print_at: before })
  await another('terminals', { name: 'other meter', serial: STRANGE, slave_id: 2 })
  await another('variables', { name: STRANGE, unit: STRANGE.slice(0, 16), slot: 1 })
  await another('collection_templates', { name: STRANGE, vendor: STRANGE })
  await another('projects', { name: STRANGE, group_id: a.groups.other })
  await another('task_items', {
    id: uuid(1),
    task_id: furnished.shared['taskId'],
    device_id: a.devices[1]?.id,
    customer_id: a.customerId,
    outcome: 'cancelled',
  })
  await another('device_backups', { id: uuid(1), size_bytes: null, created_at: before, device_id: deviceId })
  await another('sim_switches', { at: before, device_id: deviceId })
  await another('schedule_runs', { due_at: before, device_id: deviceId })
  await sql`update device_states set signal_dbm = -70, last_seen_at = now() where device_id = ${deviceId}`
  await sql`update groups set name = ${STRANGE} where id = ${tenants.b.groups.other}`
  await sql`update devices set name = ${STRANGE} where id = ${a.devices[1]?.id ?? 0}`
  await sql`update devices set name = ${STRANGE}, deleted_reason = 'other' where deleted_at is not null and name like '%-U-00003'`
  for (const n of [1, 2]) {
    const at = new Date(Date.now() - n * 1000).toISOString()
    await another('presence_records', {
      connection_id: uuid(n),
      device_id: deviceId,
      broker_id: 'b',
      online_at: at,
      offline_at: at,
    })
    await another('status_samples', { device_id: deviceId, at, stored_at: at })
    await another('device_logs', {
      device_id: deviceId,
      at,
      boot_id: 'b',
      seq: n,
      priority: 2,
      text: n === 1 ? STRANGE : 'started',
    })
  }
}

const bodies = new Map<ListCall, Row>()
beforeAll(async () => {
  for (const tenant of [tenants.b, a]) {
    const { shared, own } = await furnishAll(context, tenant)
    Object.assign(furnished.shared, shared)
    Object.assign(furnished.own, own)
  }
  await addRows()
  // Only required parameters: filters would leave a single row in most lists.
  for (const list of lists) {
    const known = { ...furnished.shared, ...furnished.own[list.name] }
    const needed = Object.keys(bodyFor(list)).map((field) => [field, known[field]])
    bodies.set(list, { ...bodyFor(list), ...Object.fromEntries(needed.filter(([, id]) => id !== undefined)) })
  }
})

const owners = /^(token|view|role\/getRoleOptions)/
const ask = async (list: ListCall, body: Row): Promise<Answer> => {
  const who = owners.test(list.name) ? a.admin : superAdmin
  const answer = await call<Answer>(list.name, { limit: 1000, ...bodies.get(list), ...body }, who)
  expect(answer.code, `${list.name}: ${answer.message}`).toBe(0)
  return answer.data ?? { list: [], total: 0 }
}
/** Without values that change during the test. */
const still = ({ durationS: _, ...row }: Row) => row
const texts = (row: Row, list: ListCall) => list.searches.map((name) => String(row[name] ?? ''))
/** Their templates come first, in every order. */
const led = /^role\//
/** Built from declared parameters, in the order of the declarations. */
const unsorted = ['parameter/getParameterList']

describe.each(lists.map((list) => [list.name, list] as const))('%s', (_name, list) => {
  it('sorts in both directions with unknown values last, and defaults to the declared order', async () => {
    const plain = (await ask(list, {})).list.map(still)
    for (const sort of list.sorts) {
      const up = (await ask(list, { sort, order: 'asc' })).list
      const down = (await ask(list, { sort, order: 'desc' })).list
      const known = [up, down].map((rows) => rows.map((row) => row[sort]).filter((value) => value !== null))
      expect(up.map((row) => row[sort]).slice(0, known[0]?.length), `${sort} asc`).toEqual(known[0])
      expect(down.map((row) => row[sort]).slice(0, known[1]?.length), `${sort} desc`).toEqual(known[1])
      if (!led.test(list.name)) expect(known[1], sort).toEqual(known[0]?.toReversed())
      const first = (list.descending.includes(sort) ? down : up).map(still)
      expect((await ask(list, { sort })).list.map(still), `${sort} without order`).toEqual(first)
      if (sort === list.sorts[0] && !unsorted.includes(list.name)) expect(plain, 'default').toEqual(first)
    }
  })

  it('returns each row on exactly one page, and none after the last', async () => {
    for (const sort of list.sorts) {
      const whole = await ask(list, { sort })
      const limit = Math.ceil(whole.list.length / 2) || 1
      const pages = [await ask(list, { sort, limit }), await ask(list, { sort, limit, offset: 2 })]
      expect(pages.flatMap((page) => page.list).map(still), sort).toEqual(whole.list.map(still))
      expect([...pages.map(({ total }) => total), whole.total]).toEqual(Array(3).fill(whole.list.length))
    }
    const { total } = await ask(list, {})
    expect(await ask(list, { offset: 1000 })).toMatchObject({ list: [], total })
  })

  it('refuses page sizes that are negative, huge or text', async () => {
    for (const limit of [-1, 1e9, 'many'])
      expect(await call(list.name, { ...bodies.get(list), limit }, superAdmin)).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'limit',
      })
  })

  if (list.searches.length === 0)
    it('refuses a search, which it would ignore', async () => {
      expect(await call(list.name, { ...bodies.get(list), search: 'x' }, superAdmin)).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'search',
      })
    })
  else
    it('finds a part of each declared field, ignoring case, and treats wildcards literally', async () => {
      const { list: rows } = await ask(list, {})
      for (const name of list.searches) {
        const text = String(rows.find((row) => row[name] !== null)?.[name] ?? '')
          .slice(0, 100)
          .trim()
        if (text === '' || /^\d{4}-\d\d-\d\dT/.test(text)) continue
        for (const search of [text.slice(1), text.toUpperCase()].filter((part) => part !== '')) {
          const found = (await ask(list, { search })).list.map((row) => String(row[name] ?? ''))
          expect(
            found.some((value) => value.includes(text)),
            `${name}: ${search}`,
          ).toBe(true)
        }
      }
      for (const search of ['%', '_', '\\', '50%_\\']) {
        const { list: found, total } = await ask(list, { search })
        const expected = rows.filter((row) => texts(row, list).some((text) => text.includes(search)))
        expect([found.length, total], search).toEqual([expected.length, expected.length])
      }
    })
})

it('knows rows of the lists: without them the tests above would find nothing wrong', async () => {
  const totals = await Promise.all(lists.map(async (list) => (await ask(list, {})).total))
  expect(totals.filter((total) => total > 1).length).toBeGreaterThanOrEqual(39)
})
