/** What is sent to a device is what somebody has reviewed. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { configRefusals } from '#schema/config/config-refusals'
import { sampleDoc } from '#schema/config/sample-doc'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { context, call, tenants } = await apiTest()
const { a } = tenants
// In the group of the operator.
const deviceId = a.devices[1]?.id ?? 0
const ask = async (name: string, body: object, who: typeof a.admin = a.admin) =>
  call<{ reviewed: string; taskId: number }>(`config/${name}`, { deviceId, ...body }, who)
const edit = async (page: string, values: object, who?: typeof a.admin) =>
  expect(await ask('saveConfigDraft', { page, values }, who)).toMatchObject({ code: 0 })
const review = async () => (await ask('reviewConfig', {})).data?.reviewed

beforeAll(() => configure(context, deviceId))
beforeEach(() => ask('discardConfigDraft', {}))

it('what a colleague edits after the review is not sent with it', async () => {
  await edit('wan', { metric: 21 })
  const reviewed = await review()
  await edit('wan', { metric: 21, hostname: 'shop' }, a.operator)
  expect(await ask('applyDevice', { reviewed })).toMatchObject({
    code: configRefusals.reviewedOther.code,
    field: 'reviewed',
  })
})

it('a password that was changed again after the review is another change, though both are masked', async () => {
  await edit('wan', { mode: 'pppoe', username: 'shop', password: 'first-secret' })
  const reviewed = await review()
  await edit('wan', { mode: 'pppoe', username: 'shop', password: 'other-secret' })
  expect(await ask('applyDevice', { reviewed })).toMatchObject({ code: configRefusals.reviewedOther.code })
})

it('a package that the device does not have yet is among the changes, too', async () => {
  const { rpcd: _, ...doc } = sampleDoc
  await configure(context, deviceId, { doc })
  await edit('device-user', { logins: [{ username: 'shop', account: 'root', access: 'full' }] })
  const { data } = await call<{ uci: object[] }>('config/reviewConfig', { deviceId }, a.admin)
  expect(data?.uci).toContainEqual({
    place: 'rpcd.@login[0].username',
    kind: 'added',
    before: null,
    after: 'shop',
  })
  await configure(context, deviceId)
})

it('two reviews of the same edits are one, and it is sent', async () => {
  await edit('wan', { metric: 22 })
  const reviewed = await review()
  expect(await review()).toBe(reviewed)
  expect(await ask('applyDevice', { reviewed })).toMatchObject({ code: 0 })
})
