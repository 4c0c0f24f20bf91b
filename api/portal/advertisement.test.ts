import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { downloadPassword, downloadSignature } from '#infra/secrets'
import { deviceRefusals } from '#schema/device/device-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { portalRefusals } from '#schema/portal/portal-refusals'
import { apiTest } from '#test/api-client'

const { tenants, call, context, app } = await apiTest()
const { a, b, superAdmin } = tenants
const { sql } = context

async function image(customerId: number | null = a.customerId): Promise<string> {
  const id = randomUUID()
  await sql`insert into images (id, customer_id, mime, content) values (${id}, ${customerId}, 'image/webp', ${Buffer.from('picture')})`
  return id
}
const good = async (more: object = {}) => ({
  name: `Ad ${randomUUID().slice(0, 8)}`,
  imageId: await image(),
  link: 'https://example.com/offer?x=1',
  ...more,
})
const add = async (more: object = {}, who: { username: string } = a.admin) =>
  call('advertisement/addAdvertisement', await good(more), who)
const made = async (more: object = {}) => ((await add(more)).data as { id: number }).id
const listed = async (body: object = {}, who: { username: string } = a.admin) =>
  ((await call('advertisement/getAdvertisementList', body, who)).data as { list: Record<string, unknown>[] })
    .list
const rowOf = async (id: number) => (await listed({ limit: 200 })).find((row) => row['id'] === id) ?? {}

describe('an advertisement', () => {
  it('is added, listed with its state, changed and deleted', async () => {
    const id = await made({
      caption: 'Free\tcoffee',
      weekdays: [5, 1, 5],
      fromTime: '07:00',
      toTime: '11:00',
    })
    const row = await rowOf(id)
    expect(row).toMatchObject({
      caption: 'Free coffee',
      weekdays: [1, 5],
      state: 'running',
      scope: 'customer',
      place: 100,
    })
    const changed = await good({ id, edition: row['edition'], enabled: false })
    expect((await call('advertisement/modifyAdvertisement', changed, a.admin)).code).toBe(0)
    expect(await rowOf(id)).toMatchObject({ caption: null, fromTime: null, state: 'disabled' })
    const [version] = await sql`select version from advertisements where id = ${id}`
    expect(version).toEqual({ version: 2 })
    // An edition that is no longer the present one.
    expect((await call('advertisement/modifyAdvertisement', changed, a.admin)).code).not.toBe(0)
    expect((await call('advertisement/deleteAdvertisement', { id }, a.admin)).code).toBe(0)
    expect(await rowOf(id)).toEqual({})
  })

  it('is planned before and ended after its days, and is found by that', async () => {
    const planned = await made({ fromDate: '2990-01-01' })
    const ended = await made({ toDate: '2020-01-01' })
    for (const [state, id] of [
      ['planned', planned],
      ['ended', ended],
    ] as const) {
      const rows = await listed({ state, limit: 200 })
      expect(rows.map((row) => row['id'])).toEqual([id])
      expect(rows[0]?.['state']).toBe(state)
    }
  })

  it.each([
    'javascript:alert(1)',
    'ftp://example.com/',
    'example.com',
    'https://user:secret@example.com/',
    'https://exam ple.com/',
    'https://',
  ])('refuses the link %s and names the field', async (link) => {
    const answer = await add({ link })
    expect(answer.code).not.toBe(0)
    expect(answer.message).toMatch(/link|链接/i)
  })

  it('refuses a half period, a day before the first, no groups and a name that is taken', async () => {
    expect((await add({ fromTime: '08:00' })).code).toBe(portalRefusals.hoursHalf.code)
    expect((await add({ fromTime: '08:00', toTime: '08:00' })).code).toBe(portalRefusals.hoursHalf.code)
    expect((await add({ fromDate: '2026-02-02', toDate: '2026-02-01' })).code).toBe(
      portalRefusals.dayBeforeFirst.code,
    )
    expect((await add({ scope: 'groups' })).code).toBe(portalRefusals.groupsMissing.code)
    await made({ name: 'Taken' })
    expect((await add({ name: 'TAKEN' })).code).toBe(deviceRefusals.nameTaken.code)
  })

  it("takes neither another customer's groups nor its pictures", async () => {
    expect((await add({ scope: 'groups', groupIds: [b.groups.root] })).code).toBe(
      sessionRefusals.noPermission.code,
    )
    expect((await add({ imageId: await image(b.customerId) })).code).toBe(sessionRefusals.noPermission.code)
  })

  it('of a platform user gets its customer, and the picture with it', async () => {
    const imageId = await image(null)
    const answer = await add({ imageId, customerId: b.customerId }, superAdmin)
    expect(answer.code).toBe(0)
    const [row] = await sql`select customer_id from images where id = ${imageId}`
    expect(row).toEqual({ customer_id: b.customerId })
  })

  it('that was changed is waited for at once, whatever version the devices still have', async () => {
    const id = await made()
    const deviceId = a.devices[0]?.id ?? 0
    await sql`insert into portal_devices (device_id, desired, reported) values (${deviceId}, ${`${id}.1`}, ${`${id}.1`})`
    expect(await rowOf(id)).toMatchObject({ haveCount: 1, waitCount: 0 })
    const { edition } = await rowOf(id)
    const changed = await good({ id, edition })
    expect((await call('advertisement/modifyAdvertisement', changed, a.admin)).code).toBe(0)
    expect(await rowOf(id)).toMatchObject({ haveCount: 0, waitCount: 1 })
    // Switched off, it is there until it is dropped.
    await sql`update portal_devices set desired = '' where device_id = ${deviceId}`
    expect(await rowOf(id)).toMatchObject({ haveCount: 1, waitCount: 0 })
    await sql`delete from portal_devices`
  })

  it('that is for all devices cannot be changed by a user who is confined to groups', async () => {
    const wide = await made()
    const narrow = await made({ scope: 'groups', groupIds: [a.groups.branch] })
    await sql`update roles set function_ids = function_ids || 7801 where name = 'operator' and not 7801 = any(function_ids)`
    const user = a.operator
    const ids = (await listed({ limit: 200 }, user)).map((row) => row['id'])
    expect(ids).toContain(wide)
    expect(ids).toContain(narrow)
    const enable = (id: number) => call('advertisement/enableAdvertisement', { id, enabled: false }, user)
    expect((await enable(wide)).code).toBe(portalRefusals.advertisementGone.code)
    expect((await enable(narrow)).code).toBe(0)
    expect((await add({}, user)).code).toBe(sessionRefusals.noPermission.code)
    expect((await add({ scope: 'groups', groupIds: [a.groups.other] }, user)).code).toBe(
      sessionRefusals.noPermission.code,
    )
    expect((await add({ scope: 'groups', groupIds: [a.groups.branch] }, user)).code).toBe(0)
  })
})

describe('its picture for devices', () => {
  const device = a.devices[0]
  const secret = context.env.JWT_SECRET
  const get = (id: string, over: { sn?: string; sig?: string; expires?: number; range?: string } = {}) => {
    const sn = over.sn ?? device?.sn ?? ''
    const expires = over.expires ?? Date.now() + 60_000
    const sig = over.sig ?? downloadSignature(secret, `portal:${id}`, sn, expires)
    const password = downloadPassword(secret, `portal:${sn}`)
    return app.inject({
      url: `/files/portal/${id}?expires=${expires}&sig=${encodeURIComponent(sig)}`,
      headers: {
        authorization: `Basic ${Buffer.from(`${sn}:${password}`).toString('base64')}`,
        ...(over.range ? { range: over.range } : {}),
      },
    })
  }

  it('is served completely and by ranges with its own link only', async () => {
    const imageId = await image()
    await made({ imageId })
    const whole = await get(imageId)
    expect([whole.statusCode, whole.body, whole.headers['content-type']]).toEqual([
      200,
      'picture',
      'image/webp',
    ])
    const part = await get(imageId, { range: 'bytes=4-' })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'ure', 'bytes 4-6/7'])
    expect((await get(imageId, { expires: Date.now() - 1 })).statusCode).toBe(403)
    expect((await get(imageId, { sig: 'x' })).statusCode).toBe(403)
    expect((await app.inject({ url: `/files/portal/${imageId}` })).statusCode).toBe(401)
    // Another customer's device, with a link that was signed for it.
    expect((await get(imageId, { sn: b.devices[0]?.sn ?? '' })).statusCode).toBe(410)
    // Not a picture of an advertisement.
    expect((await get(await image())).statusCode).toBe(404)
  })
})
