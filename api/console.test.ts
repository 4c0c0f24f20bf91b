import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { FIRST_FILES } from '#schema/platform/first-files'
import { apiTest } from '#test/api-client'
import { serveConsole } from './console.ts'

const dist = fileURLToPath(new URL('../web/dist', import.meta.url))
const { app } = await apiTest()
const textsIn = (language: string, word: string) =>
  JSON.parse(readFileSync(new URL(`../locales/${language}/${word}.json`, import.meta.url), 'utf8'))
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
    const page = await get('/login', 'br, gzip')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-encoding']).toBe('br')
    expect((await get('/login', 'gzip')).headers['content-encoding']).toBe('gzip')
    expect((await get('/login')).body).toContain('<html')
    expect(page.rawPayload.length).toBeLessThan(6_000)
    const logo = await get('/logo.svg')
    expect([logo.statusCode, logo.headers['cache-control']]).toEqual([200, 'no-cache'])
  })

  it('names the files of the page, and has its texts in the chosen language and its scheme', async () => {
    const page = async (url: string, cookie: string) => {
      const { body } = await app.inject({ method: 'GET', url, headers: { cookie } })
      const [, language, texts = '{}'] = /lang="([\w-]+)">(\{.*?)<\/script>/.exec(body) ?? []
      return {
        html: /<html[^>]*>/.exec(body)?.[0],
        files: [...body.matchAll(/<link rel="(?:modulepreload|preload)"[^>]* href="([^"]+)"/g)].map(
          ([, path = '']) => path,
        ),
        language,
        texts: JSON.parse(texts) as Record<string, Record<string, unknown>>,
      }
    }
    const list = await page('/device/devicelist', 'token=x; I18n=zh-TW; theme=dark')
    expect(list.html).toBe('<html lang="zh-TW" data-mantine-color-scheme="dark">')
    expect(list.files).toContainEqual(expect.stringMatching(/^\/assets\/device-list-.*\.js$/))
    expect(list.files).toContainEqual(expect.stringMatching(/^\/assets\/zh-TW-.*\.js$/))
    for (const path of list.files) expect((await get(path)).statusCode, path).toBe(200)
    expect(list.language).toBe('zh-TW')
    expect(list.texts['device']).toEqual(textsIn('zh-TW', 'device'))
    // Of a page about one device: the path is matched with its parameters.
    const detail = await page('/device/particulars/0/7', 'token=x')
    expect(detail.files).toContainEqual(expect.stringMatching(/^\/assets\/device-detail-.*\.js$/))
    expect([detail.html, detail.language]).toEqual(['<html lang="zh-CN">', 'zh-CN'])
    // Without a session the login comes first; a cookie is text from anywhere.
    for (const cookie of ['', 'I18n=xx; theme="><script>']) {
      const login = await page('/device/devicelist', cookie)
      expect([login.files, Object.keys(login.texts), login.html]).toEqual([
        [],
        ['kit', 'session'],
        '<html lang="zh-CN">',
      ])
    }
  })

  it('names style sheets as the console asks for them, so that none is fetched twice', async () => {
    const { body } = await app.inject({ method: 'GET', url: '/dashboard', headers: { cookie: 'token=x' } })
    const sheets = [...body.matchAll(/<link [^>]*\.css">/g)].map(([link]) => link)
    expect(sheets.length).toBeGreaterThan(1)
    for (const link of sheets) expect(link).toContain(' crossorigin ')
  })

  it('has no other files, also none above its folder', async () => {
    for (const path of ['nothing.js', '..%2Findex.html', '..%2F..%2Fpackage.json', '.', 'x/y.js', ''])
      expect((await get(`/assets/${path}`)).statusCode, path).toBe(404)
    expect((await get('/..%2Fpackage.json')).body).not.toContain('dependencies')
  })

  it('does not lead from another site to the address that ends the session', async () => {
    const from = async (url: string, headers: Record<string, string>) => {
      const { statusCode, headers: said } = await app.inject({ method: 'GET', url, headers })
      return [statusCode, said.location]
    }
    const home = [302, '/dashboard']
    const page = [200, undefined]
    for (const url of ['/', '/login', '/login?reason=expired'])
      for (const site of ['cross-site', 'same-site'])
        expect(await from(url, { 'sec-fetch-site': site })).toEqual(home)
    for (const site of ['none', 'same-origin'])
      expect(await from('/login', { 'sec-fetch-site': site })).toEqual(page)
    // Without TLS browsers do not say which site leads there.
    const host = 'console.example.test:8080'
    expect(await from('/login', { host })).toEqual(page)
    expect(await from('/login', { host, referer: `http://${host}/dashboard` })).toEqual(page)
    expect(await from('/login', { host, referer: 'http://other.example.test/' })).toEqual(home)
    expect(await from('/device/devicelist', { 'sec-fetch-site': 'cross-site' })).toEqual(page)
  })
})

it('a console that is built anew under a running server is served with its own files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'iot-console-'))
  let nth = 0
  const build = (list = JSON.stringify({ words: [], titles: {}, pages: [] })) => {
    nth++
    rmSync(join(folder, 'assets'), { recursive: true, force: true })
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, `assets/first-${nth}.js`), '')
    writeFileSync(join(folder, 'index.html'), `<html><body>/assets/first-${nth}.js</body></html>`)
    writeFileSync(join(folder, FIRST_FILES), list)
    utimesSync(join(folder, FIRST_FILES), nth, nth)
  }
  build()
  const server = fastify()
  await serveConsole(server, folder)
  const script = async () => {
    const { body } = await server.inject({ url: '/dashboard' })
    const [path = ''] = /\/assets\/[\w.-]+/.exec(body) ?? []
    return [path, (await server.inject({ url: path })).statusCode]
  }
  expect(await script()).toEqual(['/assets/first-1.js', 200])
  build()
  expect(await script()).toEqual(['/assets/first-2.js', 200])
  // Half written, and gone for a moment.
  build('{')
  expect(await script()).toEqual(['/assets/first-2.js', 404])
  rmSync(join(folder, FIRST_FILES))
  expect((await server.inject({ url: '/dashboard' })).statusCode).toBe(200)
  await server.close()
  rmSync(folder, { recursive: true })
})
