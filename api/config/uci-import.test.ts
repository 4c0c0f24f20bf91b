/** A router's `uci export` taken into the draft of a device. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sampleDoc } from '#schema/config/sample-doc'
import { exportUci } from '#schema/config/uci'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { context, call, tenants } = await apiTest()
const { a } = tenants
const deviceId = a.devices[0]?.id ?? 0
const ask = async <T>(name: string, body: object) => {
  const answer = await call<T>(`config/${name}`, { deviceId, ...body }, a.admin)
  return { ...answer, data: answer.data as T }
}
const whole = Object.values(sampleDoc).map(exportUci).join('\n')
const network = exportUci(sampleDoc['network'] ?? { name: 'network', sections: [] })
const changed = network.replace("option metric '10'", "option metric '42'")
type Compared = {
  edition: string
  packages: { name: string; outcome: string }[]
  fields: { page: string; name: string; before: unknown; after: unknown }[]
  uci: { place: string; kind: string }[]
  faults: { message: string }[]
}
type Page = { running: object; values: object; changed: string[]; edition: string }

beforeAll(() => configure(context, deviceId))
beforeEach(() => ask('discardConfigDraft', {}))

it('its own export changes nothing', async () => {
  const { data } = await ask<Compared>('compareUci', { uciText: whole })
  expect(data).toMatchObject({ fields: [], uci: [], faults: [] })
  expect(new Set(data.packages.map(({ outcome }) => outcome))).toEqual(new Set(['same']))
  expect((await ask('importUci', { uciText: whole })).code).toBe(344)
})

it('shows differences by field and in UCI, including options without a page', async () => {
  const uciText = changed.replace("some_other 'kept'", "some_other 'new'")
  const { data } = await ask<Compared>('compareUci', {
    uciText: `${uciText}\npackage luci\n\nconfig core 'main'\n`,
  })
  expect(data.fields).toEqual([{ page: 'wan', name: 'metric', before: 10, after: 42 }])
  expect(data.uci.map(({ place, kind }) => `${kind} ${place}`)).toEqual([
    'changed network.wan.metric',
    'changed network.wan.some_other',
  ])
  expect(data.packages).toEqual([
    { name: 'network', outcome: 'changes' },
    { name: 'luci', outcome: 'unmanaged' },
  ])
})

it('a bad line refuses the whole text, with its number and the reason', async () => {
  const bad = changed.replace("\toption proto 'dhcp'", "\toption pro-to 'dhcp'")
  const line = bad.split('\n').findIndex((one) => one.includes('pro-to')) + 1
  const { code, message } = await ask('importUci', { uciText: bad })
  expect({ code, message }).toEqual({ code: 349, message: `Line ${line}: invalid character in name field` })
  expect((await ask('compareUci', { uciText: '# nothing\n' })).code).toBe(357)
  expect((await ask('compareUci', { uciText: 'package luci\n' })).code).toBe(358)
})

it('is shown by its pages, edited on top, and reviewed as one change', async () => {
  expect((await ask('importUci', { uciText: changed })).code).toBe(0)
  const { data: state } = await ask<{ imported: object; pages: { name: string; changed: string[] }[] }>(
    'getDeviceConfig',
    {},
  )
  expect(state.imported).toMatchObject({ packages: ['network'], by: a.admin.username })
  expect(state.pages.find(({ name }) => name === 'wan')?.changed).toEqual(['metric'])
  const { data: page } = await ask<Page>('getConfigPage', { page: 'wan' })
  expect(page).toMatchObject({ running: { metric: 10 }, values: { metric: 42 }, changed: ['metric'] })
  const saved = await ask('saveConfigDraft', {
    page: 'wan',
    values: { metric: 10, hostname: 'shop' },
    edition: page.edition,
  })
  expect(saved.code).toBe(0)
  const { data: review } = await ask<Compared & { confirmS: number }>('reviewConfig', {})
  expect(review.uci).toMatchObject([{ place: 'network.wan.hostname', kind: 'added' }])
  expect(review.confirmS).toBeGreaterThan(0)
})

it('takes the place of a former import only if that is known', async () => {
  const { data: first } = await ask<Compared>('compareUci', { uciText: changed })
  expect((await ask('importUci', { uciText: changed, edition: first.edition })).code).toBe(0)
  const other = changed.replace("'42'", "'43'")
  expect(await ask('importUci', { uciText: other, edition: first.edition })).toMatchObject({
    code: editionRefusals.changedMeanwhile.code,
    data: { by: a.admin.username },
  })
  const { data: second } = await ask<Compared>('compareUci', { uciText: other })
  expect((await ask('importUci', { uciText: other, edition: second.edition })).code).toBe(0)
})

it('what an import brings is checked as if it had been typed', async () => {
  const uciText = network.replace(
    "option proto 'dhcp'",
    "option proto 'static'\n\toption ipaddr '10.0.0.999'",
  )
  const { data } = await ask<Compared>('compareUci', { uciText })
  expect(data.faults.length).toBeGreaterThan(0)
  await ask('importUci', { uciText })
  expect((await ask('applyDevice', {})).code).toBe(346)
})

it('a mask is replaced by the secret of the device, and by nothing else', async () => {
  const { data } = await ask<{ text: string }>('getConfigText', {})
  expect(data.text).not.toContain('not-a-real-one')
  expect((await ask<Compared>('compareUci', { uciText: data.text })).data.uci).toEqual([])
  const moved = network.replace("password 'not-a-real-one'", "pincode '***'")
  expect(await ask('compareUci', { uciText: moved })).toMatchObject({
    code: 366,
    message: expect.stringContaining('network.wan1.pincode'),
  })
})

it('merged, what the text lacks stays', async () => {
  const uciText = "package network\n\nconfig interface 'wan'\n\toption metric '42'\n"
  const replaced = await ask<Compared>('compareUci', { uciText })
  expect(replaced.data.uci.some(({ kind }) => kind === 'removed')).toBe(true)
  const { data } = await ask<Compared>('compareUci', { uciText, merge: true })
  expect(data.uci.map(({ place }) => place)).toEqual(['network.wan.metric'])
})

it('is sent as whole packages, and what it set is the device’s own', async () => {
  await ask('importUci', { uciText: changed })
  expect((await ask('applyDevice', {})).code).toBe(0)
  const [row] = await context.sql`
    select next_own as own, next_packages is not null as next from device_configs where device_id = ${deviceId}`
  expect(row).toEqual({ own: { wan: ['metric'] }, next: true })
  const [draft] =
    await context.sql`select page, sent_revision as sent from config_drafts where device_id = ${deviceId}`
  expect(draft).toEqual({ page: 'uci', sent: 1 })
})

it('a template gets the values of a text, without its secrets', async () => {
  const { data } = await call<{ pages: Record<string, object>; unknown: string[] }>(
    'config/readUci',
    { uciText: `${whole}\npackage luci\n` },
    a.admin,
  )
  expect(data?.pages['wan']).toMatchObject({ mode: 'dhcp', metric: 10 })
  expect(data?.unknown).toContain('luci')
  expect(JSON.stringify(data)).not.toContain('not-a-real-one')
})
