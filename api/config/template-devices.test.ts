/** What templates and variables say about a single device, when that device is deleted, replaced or given away. */
import { beforeEach, expect, it, vi } from 'vitest'
import { seal, unseal } from '#infra/secrets'
import { TEMPLATES_LOCK } from '#schema/config/compare-templates'
import { templateRefusals } from '#schema/config/template-refusals'
import { SECRET_MASK } from '#schema/kit/secret-mask'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'

const { call, tenants, context } = await apiTest()
const { a, b, systemAdmin } = tenants
const { sql } = context
const first = a.devices[0] ?? { id: 0, sn: '' }
type Template = { id: number; devices: { sn: string }[]; edition: string }
type Variable = {
  id: number
  name: string
  values: { deviceSn: string | null; value: string }[]
  edition: string
}
let template: number

beforeEach(async () => {
  await sql`delete from config_templates`
  await sql`delete from config_variables`
  await sql`update devices set deleted_at = null where id = ${first.id}`
  await call(
    'configVariable/addConfigVariable',
    { name: 'apn', values: [{ deviceSn: first.sn, value: 'iot.shop' }] },
    a.admin,
  )
  const made = await call<{ id: number }>(
    'configTemplate/addConfigTemplate',
    { ...said, name: 'Shop' },
    a.admin,
  )
  template = made.data?.id ?? 0
})

const said = { pages: { wan: { hostname: '{{apn}}' } }, deviceIds: [first.id] }
const opened = async () =>
  (await call<Template>('configTemplate/getConfigTemplate', { id: template }, a.admin)).data
const variable = async () =>
  (await call<{ list: Variable[] }>('configVariable/getConfigVariableList', {}, a.admin)).data?.list[0]
const save = async (deviceIds: readonly number[]) =>
  call(
    'configTemplate/modifyConfigTemplate',
    { id: template, ...said, name: 'Shop', deviceIds, edition: (await opened())?.edition },
    a.admin,
  )
const devicesNow = async () => (await opened())?.devices.map(({ sn }) => sn)

it('of a deleted device nothing is shown, a save keeps it, and a restored one has it again', async () => {
  await call('device/deleteDevices', { dids: [first.id], reason: 'x' }, a.admin)
  expect(await devicesNow()).toEqual([])
  expect((await save([])).code).toBe(0)
  const before = await variable()
  expect(before?.values).toEqual([])
  const kept = { id: before?.id, values: [], edition: before?.edition }
  expect((await call('configVariable/modifyConfigVariable', kept, a.admin)).code).toBe(0)
  await sql`update devices set deleted_at = null where id = ${first.id}`
  expect(await devicesNow()).toEqual([first.sn])
  expect((await variable())?.values).toMatchObject([{ deviceSn: first.sn, value: 'iot.shop' }])
})

it('the machine that replaces a device has its templates and values', async () => {
  const swapped = await call(
    'device/swapDevice',
    { deviceId: first.id, deviceSn: 'NEXT', reason: 'x' },
    a.admin,
  )
  expect(swapped.code).toBe(0)
  expect(await devicesNow()).toEqual(['NEXT'])
  expect((await variable())?.values).toMatchObject([{ deviceSn: 'NEXT', value: 'iot.shop' }])
})

it('a device that another customer gets leaves them behind, and takes nothing that was set on it', async () => {
  await sql`insert into device_configs (device_id, own) values (${first.id}, '{"wan":["hostname"]}')
    on conflict (device_id) do update set own = excluded.own`
  const moved = await call('device/moveDevices', { dids: [first.id], groupId: b.groups.root }, systemAdmin)
  expect(moved.code).toBe(0)
  expect(await devicesNow()).toEqual([])
  expect((await save([])).code).toBe(0)
  expect((await variable())?.values).toEqual([])
  expect(await sql`select own from device_configs where device_id = ${first.id}`).toMatchObject([{ own: {} }])
})

it('a variable is not deleted while a template that is just saved begins to use it', async () => {
  await sql`delete from config_templates`
  await sql`delete from config_variables`
  await call('configVariable/addConfigVariable', { name: 'apn', values: [{ value: 'iot' }] }, a.admin)
  const id = (await variable())?.id ?? 0
  const release = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  // As of a comparison that is running: the template has been checked, and waits to be stored.
  const comparing = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${TEMPLATES_LOCK}, ${a.customerId})`
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  const waiting = async (n: number) =>
    vi.waitFor(
      async () =>
        expect(
          await sql`select from pg_locks where locktype = 'advisory' and classid = ${TEMPLATES_LOCK} and not granted`,
        ).toHaveLength(n),
      { timeout: 40_000 },
    )
  const { pages } = said
  const saved = call('configTemplate/addConfigTemplate', { pages, everywhere: true, name: 'Late' }, a.admin)
  await waiting(1)
  const deleted = call('configVariable/deleteConfigVariable', { id }, a.admin)
  await Promise.race([waiting(2), deleted])
  release.resolve()
  await comparing
  expect((await saved).code).toBe(0)
  expect((await deleted).code).toBe(templateRefusals.variableUsed.code)
  expect(await variable()).toMatchObject({ id })
})

it('a masked password of a template is the one that somebody else enters meanwhile', async () => {
  const of = (key: string) => ({ name: 'Edges', everywhere: true, pages: { 'n2n-edge': { key } } })
  const made = await call<{ id: number }>('configTemplate/addConfigTemplate', of('open-sesame'), a.admin)
  const id = made.data?.id ?? 0
  const sealed = seal(JSON.stringify(of('changed').pages), context.env.JWT_SECRET)
  const saved = await meanwhile(
    sql,
    () => call('configTemplate/modifyConfigTemplate', { ...of(SECRET_MASK), id }, a.admin),
    (tx) => tx`update config_templates set pages = ${sealed} where id = ${id}`,
  )
  expect(saved.code).toBe(0)
  const [row] = await sql<{ pages: string }[]>`select pages from config_templates where id = ${id}`
  expect(JSON.parse(unseal(row?.pages ?? '', context.env.JWT_SECRET))).toEqual(of('changed').pages)
})
