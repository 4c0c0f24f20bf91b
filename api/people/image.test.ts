import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { IMAGE_MAX_BYTES } from '#schema/people/image'
import { peopleRefusals } from '#schema/people/people-refusals'
import { apiTest } from '#test/api-client'
import { stopwatch } from '#test/patience'

const { tenants, call, context, app, token } = await apiTest()
const { a, b, superAdmin } = tenants

const paint = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 20, g: 90, b: 200, alpha: 0.5 } } })

async function upload(payload: Buffer, purpose = 'logo', who: { username: string } = a.admin) {
  const response = await app.inject({
    method: 'POST',
    url: `/api/image/uploadImage?purpose=${purpose}`,
    headers: {
      token: await token(who),
      'content-type': 'application/octet-stream',
      'accept-language': 'en-US',
    },
    payload,
  })
  return response.json() as { code: number; data: { imageId: string; url: string } | null }
}
const fetchImage = async (url: string, who?: { username: string }, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { ...(who ? { cookie: `a=b; token=${await token(who)}` } : {}), ...headers } })

describe('uploads of pictures', () => {
  it('Avatar and logo JPG or PNG up to 2MB: both are accepted, and stored as WebP in the size of their purpose', async () => {
    for (const [purpose, width, height] of [
      ['logo', 288, 96],
      ['avatar', 192, 192],
    ] as const) {
      for (const bytes of [await paint(900, 300).png().toBuffer(), await paint(900, 300).jpeg().toBuffer()]) {
        const { data } = await upload(bytes, purpose)
        const kept = (await fetchImage(data?.url ?? '', a.admin)).rawPayload
        expect(await sharp(kept).metadata()).toMatchObject({ format: 'webp', width, height })
      }
    }
  })

  it('are checked by content, not by name or type: GIF, SVG, text and half a PNG are refused', async () => {
    const png = await paint(50, 50).png().toBuffer()
    const bad = [
      await paint(20, 20).gif().toBuffer(),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      Buffer.from('hello'),
      Buffer.alloc(0),
      png.subarray(0, 60),
      Buffer.concat([png.subarray(0, 8), Buffer.from('not a picture at all')]),
    ]
    for (const bytes of bad) expect((await upload(bytes)).code).toBe(peopleRefusals.notAPicture.code)
  })

  it('larger than 2 MB are refused', async () => {
    const jpeg = await paint(10, 10).jpeg().toBuffer()
    const big = Buffer.concat([jpeg, Buffer.alloc(IMAGE_MAX_BYTES)])
    expect((await upload(big)).code).toBe(peopleRefusals.pictureTooLarge.code)
  })

  it('that would unpack to far too many pixels are refused before they are decoded', async () => {
    const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: 'white' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(IMAGE_MAX_BYTES)
    const taken = stopwatch()
    expect((await upload(bomb)).code).toBe(peopleRefusals.pictureTooManyPixels.code)
    expect(taken()).toBeLessThan(2000)
  })

  it('lose their metadata, such as where a photo was taken', async () => {
    const photo = await paint(300, 300)
      .withExif({ IFD0: { Copyright: 'Jane at home' } })
      .jpeg()
      .toBuffer()
    expect(photo.includes('Jane at home')).toBe(true)
    const { data } = await upload(photo, 'avatar')
    const kept = await fetchImage(data?.url ?? '', a.admin)
    expect(kept.rawPayload.includes('Jane')).toBe(false)
    expect((await sharp(kept.rawPayload).metadata()).exif).toBeUndefined()
  })
})

describe('pictures', () => {
  it('are served with the token’s cookie or header, only to their own customer and the platform', async () => {
    const { data } = await upload(await paint(30, 30).png().toBuffer())
    const url = data?.url ?? ''
    for (const who of [a.admin, a.viewer, superAdmin])
      expect((await fetchImage(url, who)).statusCode).toBe(200)
    expect((await fetchImage(url, undefined, { token: await token(a.admin) })).statusCode).toBe(200)
    const absent = await fetchImage('/images/00000000-0000-4000-8000-000000000000', b.admin)
    for (const answer of [
      await fetchImage(url, b.admin),
      await fetchImage(url),
      await fetchImage(`${url}x`, a.admin),
    ])
      expect([answer.statusCode, answer.body]).toEqual([404, absent.body])
  })

  it('are cached only by the browser, never sniffed, and return 304 when it has them', async () => {
    const { data } = await upload(await paint(30, 30).png().toBuffer())
    const { headers } = await fetchImage(data?.url ?? '', a.admin)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    })
    const again = await fetchImage(data?.url ?? '', a.admin, { 'if-none-match': String(headers['etag']) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('are not served to an ended login', async () => {
    const { data } = await upload(await paint(30, 30).png().toBuffer(), 'logo', b.admin)
    await call('userLogout', {}, b.admin)
    expect((await fetchImage(data?.url ?? '', b.admin)).statusCode).toBe(404)
  })

  it('that were unused for a day are deleted with the next upload', async () => {
    const { data } = await upload(await paint(30, 30).png().toBuffer())
    const used = await upload(await paint(30, 30).png().toBuffer())
    await context.sql`update users set icon = ${used.data?.imageId ?? ''} where id = ${a.viewer.id}`
    await context.sql`update images set created_at = now() - interval '25 hours'`
    await upload(await paint(30, 30).png().toBuffer())
    expect((await fetchImage(data?.url ?? '', a.admin)).statusCode).toBe(404)
    expect((await fetchImage(used.data?.url ?? '', a.admin)).statusCode).toBe(200)
  })
})
