/** Who has edited a page, as its other editors may know it [decisions/062]. */
import { beforeAll, expect, it } from 'vitest'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { context, call, tenants } = await apiTest()
const { a, systemAdmin } = tenants
// In the group of the operator.
const deviceId = a.devices[1]?.id ?? 0
type Page = { edition: string; changedBy: string | null }
const read = async (who: typeof a.admin) =>
  (await call<Page>('config/getConfigPage', { deviceId, page: 'wan' }, who)).data
const save = (metric: number, who: typeof a.admin, edition?: string) =>
  call('config/saveConfigDraft', { deviceId, page: 'wan', values: { metric }, edition }, who)

beforeAll(() => configure(context, deviceId))

it('a user of the platform is not named to a customer, neither on the page nor by the refusal of a second edit', async () => {
  const before = await read(a.admin)
  expect(await save(21, systemAdmin)).toMatchObject({ code: 0 })
  expect(await read(a.admin)).toMatchObject({ changedBy: PLATFORM_NAME })
  expect(await read(systemAdmin)).toMatchObject({ changedBy: systemAdmin.username })
  const refused = await save(22, a.admin, before?.edition)
  expect(refused).toMatchObject({
    code: editionRefusals.changedMeanwhile.code,
    data: { by: null, platform: true, now: { values: { metric: 21 } } },
  })
  expect(refused.message).not.toContain(PLATFORM_NAME)
  expect(refused.message).not.toContain(systemAdmin.username)
})

it('a colleague is named', async () => {
  const before = await read(a.admin)
  expect(await save(23, a.admin, before?.edition)).toMatchObject({ code: 0 })
  const refused = await save(24, a.operator, before?.edition)
  expect(refused).toMatchObject({ data: { by: a.admin.username, platform: false } })
  expect(refused.message).toContain(a.admin.username)
})
