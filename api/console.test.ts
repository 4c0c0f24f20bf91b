import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { apiTest } from '#test/api-client'

const dist = fileURLToPath(new URL('../web/dist', import.meta.url))
const { app } = await apiTest()
const get = (url: string, encoding = 'identity') =>
  app.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } })

describe.skipIf(!existsSync(`${dist}/index.html`))('the built console', () => {
  it('is served file by file, compressed for browsers that can read it', async () => {
    const script = readdirSync(`${dist}/assets`).find((file) => /^first-.*\.js$/.test(file)) ?? ''
    const plain = await get(`/assets/${script}`)
    expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const packed = await get(`/assets/${script}`, 'br, gzip')
    expect([packed.statusCode, packed.headers['content-type']]).toEqual([200, plain.headers['content-type']])
    expect(packed.headers['content-encoding']).toMatch(/^(br|gzip)$/)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length)
    // Each path of the console returns the same page, which names the files of all of them.
    const page = await get('/login', 'br, gzip')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-encoding']).toBe('br')
    expect((await get('/login')).body).toContain('<html')
    expect(page.rawPayload.length).toBeLessThan(12_000)
    const logo = await get('/logo.svg')
    expect([logo.statusCode, logo.headers['cache-control']]).toEqual([200, 'no-cache'])
  })

  it('has no other files, also none above its folder', async () => {
    for (const path of ['nothing.js', '..%2Findex.html', '..%2F..%2Fpackage.json', '.', 'x/y.js', ''])
      expect((await get(`/assets/${path}`)).statusCode, path).toBe(404)
    expect((await get('/..%2Fpackage.json')).body).not.toContain('dependencies')
  })
})
