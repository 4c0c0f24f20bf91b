/** The map with what the operator has set: lines of borders only from their file, real tiles only from their server. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '#api/start'
import { seedTenants, TEST_PASSWORD } from '#test/tenants'
import { afterFile } from '../after-file.ts'
import { testContext } from '../harness.ts'
import { launchBrowser, noBrowser, openPage, readyConsole, settled } from './open-browser.ts'

/** The map is loaded when it comes into view, and a link with a place is about the map. */
const ZOOM = 4
const HOME = `/dashboard?map=34,105,${ZOOM}`
const TILE_PX = 256
/** The border of the test follows this parallel: its height within a tile is the same in each tile. */
const LATITUDE = 34
/** A picture of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

let browser: Browser

/** The home page of a platform of its own with these settings, and the errors of its scripts. */
async function openMap(settings: Record<string, string>): Promise<{ page: Page; errors: string[] }> {
  const context = await testContext(settings)
  const { a } = await seedTenants(context)
  const api = await startApi(context)
  afterFile(() => api.close())
  const url = `http://127.0.0.1:${api.port}`
  const opened = await openPage(browser, url, { language: 'en-US' })
  const login = await fetch(`${url}/api/userLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: a.admin.username, password: TEST_PASSWORD }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  await opened.carry(data.token)
  await opened.page.addInitScript(() => {
    const dashed: number[] = []
    Object.assign(globalThis, { dashed })
    const pen = CanvasRenderingContext2D.prototype
    const { lineTo } = pen
    pen.lineTo = function (x, y) {
      if (this.getLineDash().length > 0) dashed.push(y)
      lineTo.call(this, x, y)
    }
  })
  await opened.page.goto(HOME)
  await settled(opened.page)
  return opened
}

/** Borders are the only dashed lines of the map: the height of each of their points within its tile. */
const dashed = (page: Page) => page.evaluate(() => (globalThis as unknown as { dashed: number[] }).dashed)
const landDrawn = (page: Page) => page.getByText(/Natural Earth/).waitFor()

describe.skipIf(noBrowser)('the map of the home page', () => {
  beforeAll(async () => {
    await readyConsole()
    browser = await launchBrowser()
  }, 240_000)
  afterAll(() => browser?.close())

  it('draws the lines of borders of the operator’s file, and no others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'iot-borders-'))
    afterFile(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'borders.json')
    const coordinates = Array.from({ length: 60 }, (_, i) => [90 + i / 2, LATITUDE])
    writeFileSync(path, JSON.stringify({ type: 'LineString', coordinates }))
    const { page, errors } = await openMap({ MAP_BORDERS_FILE: path })
    await expect.poll(async () => (await dashed(page)).length).toBeGreaterThan(0)
    const radians = (LATITUDE * Math.PI) / 180
    const world = (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2
    const height = (world * 2 ** ZOOM * TILE_PX) % TILE_PX
    for (const y of await dashed(page)) expect(Math.abs(y - height)).toBeLessThan(1)
    expect(errors).toEqual([])
  }, 120_000)

  it('draws no border without a file', async () => {
    const { page, errors } = await openMap({})
    await landDrawn(page)
    await expect
      .poll(() => page.evaluate(() => document.querySelectorAll('.leaflet-tile-loaded').length))
      .toBeGreaterThan(8)
    expect(await dashed(page)).toEqual([])
    expect(errors).toEqual([])
  }, 120_000)

  it('shows the tiles of the operator’s server, with its attribution', async () => {
    const asked: string[] = []
    const server = createServer((request, reply) => {
      asked.push(request.url ?? '')
      reply.writeHead(200, { 'content-type': 'image/png' }).end(DOT)
    }).listen(0, '127.0.0.1')
    afterFile(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { page, errors } = await openMap({
      MAP_TILE_URL: `http://127.0.0.1:${port}/streets/{z}/{x}/{y}.png`,
      MAP_TILE_ATTRIBUTION: 'City streets',
    })
    await page.getByText('City streets').waitFor()
    await expect.poll(() => page.locator('img.leaflet-tile-loaded').count()).toBeGreaterThan(8)
    for (const path of asked) expect(path).toMatch(/^\/streets\/4\/\d+\/\d+\.png$/)
    // Neither our land nor our names under them.
    expect(await page.locator('.leaflet-tile-pane canvas').count()).toBe(0)
    expect(errors).toEqual([])
  }, 120_000)
})
