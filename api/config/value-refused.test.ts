/** What is wrong with a value of a page is said as its form says it, in every language. */
import { beforeAll, expect, it } from 'vitest'
import { configRefusals } from '#schema/config/config-refusals'
import { type Language, languages } from '#schema/kit/refusal'
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
