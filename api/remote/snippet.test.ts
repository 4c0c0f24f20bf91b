import { expect, it } from 'vitest'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { apiTest } from '#test/api-client'

const { tenants, call } = await apiTest()
const { a, b, superAdmin } = tenants
const routes = { name: 'Routes', text: 'ip route show' }
const add = (body: object, who: { username: string } = a.admin) =>
  call<{ id: number }>('remote/addSnippet', body, who)
const names = async (who: { username: string }, body: object = {}) =>
  (await call<{ list: { name: string }[] }>('remote/getSnippetList', body, who)).data?.list.map(
    ({ name }) => name,
  )

it('are those of the customer: a name is used once, others neither see nor change them', async () => {
  const made = await add(routes)
  expect(made.code).toBe(0)
  expect(await add({ ...routes, name: 'routes' })).toMatchObject({
    code: remoteRefusals.snippetTaken.code,
    field: 'name',
  })
  expect((await add(routes, b.admin)).code).toBe(0)
  expect(await names(a.operator)).toEqual(['Routes'])
  // The operator uses them.
  expect((await add({ ...routes, name: 'Other' }, a.operator)).code).toBe(5)
  expect((await call('remote/deleteSnippet', { snippetId: made.data?.id }, b.admin)).code).toBe(5)
  // The platform is shown those of the device's customer.
  expect(await names(superAdmin)).toHaveLength(2)
  expect(await names(superAdmin, { deviceId: b.devices[0]?.id })).toHaveLength(1)
})

it('hold nothing that would be typed without being seen', async () => {
  for (const text of ['\u001b[A', 'ls\u0003', 'ls\rreboot', '\u0000'])
    expect(await add({ name: 'Hidden', text: `x${text}x` }), JSON.stringify(text)).toMatchObject({
      field: 'text',
    })
  expect((await add({ name: 'Two lines', text: 'uptime\n\tdf -h' })).code).toBe(0)
})
