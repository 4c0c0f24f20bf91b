/** What is wrong with a value of a page is said as its form says it, in every language. */
import { beforeAll, expect, it } from 'vitest'
import { unseal } from '#infra/secrets'
import { configRefusals } from '#schema/config/config-refusals'
import { templateRefusals } from '#schema/config/template-refusals'
import { type Language, languages } from '#schema/kit/refusal'
import { SECRET_MASK } from '#schema/kit/secret-mask'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { context, call, tenants } = await apiTest()
const { a } = tenants
const deviceId = a.devices[1]?.id ?? 0
const outside = { mode: 'static', address: '10.9.0.1', netmask: '255.255.255.0', gateway: '10.8.0.1' }

const bound: Readonly<Record<Language, string>> = {
  'zh-CN': '跃点数：不能大于 9999',
  'zh-TW': '躍點數：不能大於 9999',
  'en-US': 'Metric must not be greater than 9999',
}
const between: Readonly<Record<Language, string>> = {
  'zh-CN': '网关不在该地址所在的网段内',
  'zh-TW': '閘道不在該位址所在的網段內',
  'en-US': 'The gateway is outside the network of the IP address',
}

beforeAll(() => configure(context, deviceId))

it.each(languages)('in %s for the draft of a device, and for a change of several', async (language) => {
  const ask = (name: string, body: object) =>
    call(name, body, a.admin, { 'accept-language': language }).then(({ code, field, message }) => ({
      code,
      field,
      message,
    }))
  const draft = (values: object) => ask('config/saveConfigDraft', { deviceId, page: 'wan', values })
  const { code } = configRefusals.valueRefused
  expect(await draft({ metric: 10_000 })).toEqual({ code, field: 'values.metric', message: bound[language] })
  expect(await draft(outside)).toEqual({ code, field: 'values.gateway', message: between[language] })
  expect(
    await ask('config/getChangeImpact', { dids: [deviceId], pages: { wan: { metric: 10_000 } } }),
  ).toEqual({ code, field: 'pages.wan.metric', message: bound[language] })
})

it('a field that a page has not is named with the reason', async () => {
  const body = { deviceId, page: 'wan', values: { speed: 1 } }
  expect(await call('config/saveConfigDraft', body, a.admin)).toMatchObject({
    field: 'values.speed',
    message: 'speed is not known',
  })
})

it('a mask with no known secret behind it is refused: it would become an empty password', async () => {
  const values = { mode: 'pppoe', username: 'shop', password: SECRET_MASK }
  const body = { deviceId, page: 'wan', values }
  expect(await call('config/saveConfigDraft', body, a.admin)).toMatchObject({
    code: templateRefusals.valueMasked.code,
    field: 'values.password',
  })
})

it('the password of a new row stays when its page is edited again', async () => {
  type Read = { values: { networks: Record<string, unknown>[] }; edition: string }
  const of = { deviceId, page: 'wireless' }
  const read = async () => (await call<Read>('config/getConfigPage', of, a.admin)).data as Read
  const save = (edition: string, networks: unknown[]) =>
    call('config/saveConfigDraft', { ...of, values: { networks }, edition }, a.admin)
  const { values, edition } = await read()
  const added = { radio: 'radio0', ssid: 'Guests', security: 'psk2', key: 'not-a-real-one' }
  const first = values.networks[0]
  const rows = [
    ...values.networks,
    { ...first, id: '', ...added },
    { ...first, id: '', ...added, ssid: 'Staff' },
  ]
  expect(await save(edition, rows)).toMatchObject({ code: 0 })
  const kept = await read()
  expect(kept.values.networks.slice(-2)).toMatchObject([
    { ssid: 'Guests', key: SECRET_MASK },
    { ssid: 'Staff', key: SECRET_MASK },
  ])
  const hidden = kept.values.networks.map((row) => ({ ...row, hidden: true }))
  expect(await save(kept.edition, hidden)).toMatchObject({ code: 0 })
  const [draft] = await context.sql<{ changes: string }[]>`
    select changes from config_drafts where device_id = ${deviceId} and page = 'wireless'`
  const { networks } = JSON.parse(unseal(draft?.changes ?? '', context.env.JWT_SECRET))
  expect(networks.slice(-2)).toMatchObject([
    { ...added, hidden: true },
    { ...added, ssid: 'Staff', hidden: true },
  ])
})
