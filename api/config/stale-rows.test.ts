/** Rows find their sections by number: edits of a list that the device has changed meanwhile are neither kept nor sent. */
import { beforeEach, expect, it } from 'vitest'
import { docOf, unsealTexts } from '#infra/config/config-store'
import { configRefusals } from '#schema/config/config-refusals'
import { sampleDoc, section } from '#schema/config/sample-doc'
import type { UciDoc } from '#schema/config/uci'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { context, call, tenants } = await apiTest()
const { sql, env } = context
const deviceId = tenants.a.devices[0]?.id ?? 0
type Row = Record<string, unknown>
type Page = { values: Row & { rules: Row[]; zones: Row[] }; edition: string; faults: { path: string }[] }

const { firewall } = sampleDoc
const before = firewall?.sections ?? []
const ssh = section('rule', null, {
  name: 'Allow-SSH',
  src: 'wan',
  proto: 'tcp',
  dest_port: '22',
  target: 'ACCEPT',
})
/** The same firewall, after somebody has added a rule on the device, in front of its others. */
const added = before.toSpliced(
  before.findIndex(({ type }) => type === 'rule'),
  0,
  ssh,
)
const withSections = (sections: typeof before): UciDoc => ({
  ...sampleDoc,
  firewall: { name: 'firewall', sections },
})

const ask = <T = unknown>(name: string, body: object) =>
  call<T>(`config/${name}`, { deviceId, ...body }, tenants.a.admin)
const read = async () => {
  const { data } = await ask<Page>('getConfigPage', { page: 'firewall' })
  return data as Page
}
const save = (values: Row, edition?: string) =>
  ask('saveConfigDraft', { page: 'firewall', values, ...(edition === undefined ? {} : { edition }) })
const pingOff = ({ values }: Page) => ({
  rules: values.rules.map((row) => (row['name'] === 'Allow-Ping' ? { ...row, enabled: false } : row)),
})

/** The device reports other sections; what was edited stays. */
async function changeTo(sections: typeof before): Promise<void> {
  const drafts = await sql`select * from config_drafts where device_id = ${deviceId}`
  await configure(context, deviceId, { doc: withSections(sections) })
  for (const draft of drafts) await sql`insert into config_drafts ${sql(draft)}`
}

const rulesSent = async () => {
  const [row] = await sql<{ next: Parameters<typeof unsealTexts>[0] }[]>`
    select next from device_configs where device_id = ${deviceId}`
  return docOf(unsealTexts(row?.next ?? null, env.JWT_SECRET))['firewall']?.sections.filter(
    ({ type }) => type === 'rule',
  )
}

const stale = {
  code: configRefusals.valueRefused.code,
  message: expect.stringContaining('changed on the device'),
}

beforeEach(() => configure(context, deviceId, { doc: withSections(before) }))

it('edited rows are not sent to a device whose list has changed since: each would be written to another section', async () => {
  const opened = await read()
  expect(await save(pingOff(opened), opened.edition)).toMatchObject({ code: 0 })
  await changeTo(added)
  expect(await ask('applyDevice', {})).toMatchObject({
    code: configRefusals.faulty.code,
    message: expect.stringContaining('changed on the device'),
  })
  expect((await read()).faults).toMatchObject([{ path: 'rules' }])
})

it('nor are they edited further; once discarded, they are made on the list as it is', async () => {
  const opened = await read()
  await save(pingOff(opened), opened.edition)
  await changeTo(added)
  const again = await read()
  expect(await save(pingOff(again), again.edition)).toMatchObject(stale)
  await ask('discardConfigDraft', { page: 'firewall' })
  const fresh = await read()
  expect(await save(pingOff(fresh), fresh.edition)).toMatchObject({ code: 0 })
  expect(await ask('applyDevice', {})).toMatchObject({ code: 0 })
  const sent = await rulesSent()
  expect(sent?.[0]).toEqual(ssh)
  expect(sent).toHaveLength(added.filter(({ type }) => type === 'rule').length)
})

it('rows of a page that was opened before the list changed are not kept', async () => {
  const opened = await read()
  await changeTo(added)
  expect(await save(pingOff(opened), opened.edition)).toMatchObject(stale)
})

it('other fields, and edits on a list that is as it was, are not refused', async () => {
  const opened = await read()
  await changeTo(added)
  expect(await save({ forward: 'DROP' }, opened.edition)).toMatchObject({ code: 0 })
  await changeTo(before)
  const fresh = await read()
  expect(await save(pingOff(fresh), fresh.edition)).toMatchObject({ code: 0 })
  await changeTo(before)
  expect(await ask('applyDevice', {})).toMatchObject({ code: 0 })
})
