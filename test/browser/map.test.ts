/**
 * [§2 Dashboard map] In a real browser: clusters, names on focus, details on Enter, devices at the same position, a
 * pin.
 */
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedTenants, TEST_PASSWORD } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import {
  escapeDialog,
  launchBrowser,
  noBrowser,
  type Opened,
  openPage,
  readyConsole,
  settled,
} from './open-browser.ts'

let booted: Booted
let browser: Browser
let opened: Opened
let page: Page
let alone = 0
let customerId = 0

/** The map is loaded when it comes into view, and a link with a place is about the map. */
const HOME = '/dashboard?map=34,105,4'
/** A picture of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

const marker = (name: RegExp) => page.getByRole('button', { name }).and(page.locator('.leaflet-marker-icon'))

describe.skipIf(noBrowser)('the map of the home page', () => {
  beforeAll(async () => {
    await readyConsole()
    const context = await testContext()
    const { a } = await seedTenants(context)
    const [first, second, third] = a.devices
    alone = first?.id ?? 0
    customerId = a.customerId
    await context.sql`update devices set longitude = 87.6, latitude = 43.8, name = '<b>Gate</b>', address = 'North road 4' where id = ${alone}`
    await context.sql`update devices set longitude = 113.3, latitude = 23.1 where id in (${second?.id ?? 0}, ${third?.id ?? 0})`
    await context.sql`update device_states set signal_dbm = -108 where device_id = ${alone}`
    // Alarms whose rule still holds: otherwise the workers would end them.
    const alarmed = [alone, second?.id ?? 0]
    await context.sql`update device_states set online = false, online_changed_at = now() - interval '1 hour', last_seen_at = now() - interval '1 hour' where device_id = any(${alarmed})`
    await context.sql`
      with rule as (
        insert into alarm_rules (customer_id, name, kind, severity, threshold, scope, time_zone, language, alert_text, recovery_text)
        values (${customerId}, 'Offline', 'offline', 'critical', 5, 'customer', 'UTC', 'en-US', 'Offline', 'Back') returning id)
      insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at)
      select d.customer_id, rule.id, 'Offline', 'offline', 'critical', d.id, d.sn, d.name, d.group_id, 'G', now(), now()
      from devices d, rule where d.id = any(${alarmed})`
    booted = await bootAll({ context })
    browser = await launchBrowser()
    opened = await openPage(browser, booted.url, { language: 'en-US' })
    page = opened.page
    await opened.carry(await booted.login(a.admin.username, TEST_PASSWORD))
    await page.goto(HOME)
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  it('tells of a device on focus, as text, and opens its detail on Enter', async () => {
    const gate = marker(/Gate/)
    await gate.waitFor()
    await page.keyboard.press('Tab')
    await gate.focus()
    const card = page.locator('.leaflet-popup')
    await expect
      .poll(() => card.textContent())
      .toMatch(
        /<b>Gate<\/b>.*Acme-R-00000.*North road 4.*(Online|Offline|Never seen).*Signal.*Last seen.*Open.*Zoom/,
      )
    await gate.press('Enter')
    await page.waitForURL(`**/device/particulars/0/${alone}`)
    await page.goBack()
  })

  it('[§2] a click opens the device, also while a part of the map is below the window', async () => {
    const gate = marker(/Gate/)
    await gate.waitFor()
    await page.locator('main .leaflet-container').evaluate((map) => {
      let pane = map.parentElement
      while (pane && pane.scrollHeight <= pane.clientHeight) pane = pane.parentElement
      pane?.scrollBy(0, map.getBoundingClientRect().top - innerHeight + 240)
    })
    await gate.click()
    await page.waitForURL(`**/device/particulars/0/${alone}`)
    await page.mouse.move(0, 0)
    await page.goBack()
    await gate.waitFor()
    // A popup that was about to open does not open on the map that is left.
    expect(opened.errors).toEqual([])
  })

  it('a popup is reached with the space key, and left with Escape', async () => {
    const gate = marker(/Gate/)
    await gate.waitFor()
    await gate.press(' ')
    const open = page.locator('.leaflet-popup').getByRole('link', { name: 'Open' })
    await open.waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('.leaflet-popup') !== null))
      .toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.leaflet-popup').count()).toBe(0)
  })

  it('marks a device by its state and its alarm, and leads from the popup to the alarms', async () => {
    const gate = marker(/Gate.*, Critical alarm/)
    await gate.locator('[data-severity="critical"]').waitFor()
    await expect
      .poll(() => gate.locator('[data-state]').getAttribute('data-state'))
      .toMatch(/online|offline|neverSeen/)
    await gate.hover()
    const link = page.locator('.leaflet-popup a[data-severity="critical"]')
    await link.waitFor()
    expect(await link.getAttribute('href')).toContain(`deviceId=${alone}`)
  })

  it('shows the shares of a cluster by state and its highest alarm, and lists devices at the same position', async () => {
    const cluster = marker(/2 devices, .*1 with an active alarm, the highest: Critical/)
    await cluster.locator('[data-severity="critical"]').waitFor()
    await expect.poll(() => cluster.locator('circle[data-state]').count()).toBeGreaterThan(0)
    const links = page.locator('.leaflet-popup a[href^="/device/particulars"]')
    // Pressed again if the press met nothing: a marker whose states change just then is replaced by another one.
    const listed = async () => {
      if ((await links.count()) === 0) await cluster.click()
      return links.count()
    }
    await expect.poll(listed, { interval: 2_000 }).toBe(2)
  })

  it('writes the names of places in the language of the console', async () => {
    const drawn = () => page.evaluate(() => (globalThis as unknown as { drawn: Set<string> }).drawn.size)
    await page.addInitScript(() => {
      const drawn = new Set<string>()
      Object.assign(globalThis, { drawn })
      const real = CanvasRenderingContext2D.prototype.fillText
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        drawn.add(text)
        return real.call(this, text, ...(rest as [number, number]))
      }
    })
    await page.goto(HOME)
    await marker(/Gate/).waitFor()
    await expect.poll(drawn).toBeGreaterThan(20)
    const names = await page.evaluate(() => [...(globalThis as unknown as { drawn: Set<string> }).drawn])
    expect(names).toEqual(expect.arrayContaining(['Mongolia', 'Chengdu']))
    expect(names.filter((name) => /\p{Script=Han}/u.test(name))).toEqual([])
  })

  /** Until the menu has faded, a press would meet it instead of the map. */
  const drawingBegun = async () => {
    await page.locator('.leaflet-container[data-drawing]').waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }

  it('a drawn region counts its devices and is the filter of the list and of a command', async () => {
    await page.goto('/dashboard?map=43.8,87.6,7')
    await marker(/Gate/).waitFor()
    await page.getByRole('button', { name: 'Select a region' }).click()
    await page.getByRole('menuitem', { name: 'Rectangle' }).click()
    await drawingBegun()
    // What stands above the map must have its height.
    await settled(page)
    const box = await page.locator('.leaflet-container').boundingBox()
    if (!box) throw new Error('no map')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x - 80, y - 80)
    await page.mouse.down()
    await page.mouse.move(x + 40, y + 40)
    await page.mouse.move(x + 80, y + 80)
    await page.mouse.up()
    const panel = page.getByRole('region', { name: 'Devices in the region' })
    await panel.getByText('1 device in the region').waitFor()
    const region = new URL(page.url()).searchParams.get('region') ?? ''
    expect(region.split(' ')).toHaveLength(4)
    // The link shows the same.
    await page.reload()
    await panel.getByText('1 device in the region').waitFor()
    await panel.getByRole('button', { name: 'Commands' }).click()
    await page.getByRole('menuitem', { name: 'Reboot', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await escapeDialog(page)
    await panel.getByRole('link', { name: 'Show in the list' }).click()
    await page.getByText('Acme-R-00000').first().waitFor()
    expect(new URL(page.url()).searchParams.get('region')).toBe(region)
    await expect.poll(() => page.getByText(/Acme-R-0000[1-9]/).count()).toBe(0)
  }, 120_000)

  it('a polygon is drawn corner by corner, and Escape gives it up', async () => {
    await page.goto('/dashboard?map=43.8,87.6,7')
    await marker(/Gate/).waitFor()
    // What stands above the map must have its height.
    await settled(page)
    const box = await page.locator('.leaflet-container').boundingBox()
    if (!box) throw new Error('no map')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const begin = async () => {
      await page.getByRole('button', { name: 'Select a region' }).click()
      await page.getByRole('menuitem', { name: 'Polygon' }).click()
      await drawingBegun()
      await page.mouse.click(x - 90, y - 60)
      await page.mouse.click(x + 90, y - 60)
    }
    await begin()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Select a region' }).waitFor()
    expect(new URL(page.url()).searchParams.has('region')).toBe(false)
    await begin()
    await page.mouse.dblclick(x, y + 90)
    await page.getByText('1 device in the region').waitFor()
    expect(new URL(page.url()).searchParams.get('region')?.split(' ')).toHaveLength(3)
  }, 120_000)

  it('shows where the signal is weak, and keeps the layer in the URL', async () => {
    await page.goto('/dashboard?map=43.8,87.6,7')
    await marker(/Gate/).waitFor()
    const hot = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLCanvasElement>('.leaflet-tile-pane canvas')].some(
          (canvas) =>
            canvas.width === 64 &&
            canvas
              .getContext('2d')
              ?.getImageData(0, 0, 64, 64)
              .data.some((value, i) => i % 4 === 3 && value > 80),
        ),
      )
    expect(await hot()).toBe(false)
    await page.getByRole('button', { name: 'Weak signal' }).click()
    await expect.poll(hot).toBe(true)
    expect(new URL(page.url()).searchParams.get('layer')).toBe('signal')
    await page.reload()
    await expect.poll(hot).toBe(true)
    const button = page.getByRole('button', { name: 'Weak signal' })
    await button.click()
    await expect.poll(hot).toBe(false)
    // Off again before the layer is computed.
    await button.dblclick()
    await settled(page)
    expect(await hot()).toBe(false)
  })

  it('keeps the view and the selected device in the URL', async () => {
    await page.goto('/dashboard?map=43.8,87.6,9')
    const gate = marker(/Gate/).and(page.locator('[data-selected]'))
    await page.getByRole('button', { name: 'Show on the map' }).first().click()
    const said = () => Object.fromEntries(new URL(page.url()).searchParams)
    const told = () => expect.poll(said).toEqual({ map: '43.8,87.6,16', device: String(alone) })
    await told()
    await gate.waitFor()
    const { href } = new URL(page.url())
    await page.goto('/device/devicelist')
    await page.goto(href)
    await gate.waitFor()
    expect(page.url()).toBe(href)
    // A link with only the device finds it.
    await page.goto(`/dashboard?device=${alone}`)
    await gate.waitFor()
    await told()
    await page.goto(HOME)
  })

  it('the home page that is shown again stays where it was scrolled to, also after the map was moved', async () => {
    await page.goto(HOME)
    await marker(/Gate/).waitFor()
    const title = page.getByRole('heading', { name: 'Home', exact: true })
    await title.evaluate((heading) => heading.scrollIntoView({ block: 'end' }))
    const shownAt = () => title.evaluate((heading) => Math.round(heading.getBoundingClientRect().top))
    const before = await shownAt()
    await page.getByRole('link', { name: 'Devices', exact: true }).first().click()
    await page.waitForURL('**/device/devicelist*')
    await settled(page)
    await page.goBack()
    await marker(/Gate/).waitFor()
    expect(await shownAt()).toBe(before)
  })

  it('[§3] remembers the base layer that its user chose as mapType, where the operator has set tiles', async () => {
    await page.route('**/api/device/getMapSettings', (route) =>
      route.fulfill({
        json: {
          code: 0,
          message: '',
          data: {
            tileUrl: '/streets/{z}/{x}/{y}.png',
            attribution: 'Streets',
            datum: 'wgs84',
            borders: false,
          },
        },
      }),
    )
    const asked: string[] = []
    await page.route('**/streets/**', (route) => {
      asked.push(route.request().url())
      return route.fulfill({ status: 200, contentType: 'image/png', body: DOT })
    })
    await page.goto(HOME)
    const streets = page.getByRole('button', { name: 'Street map' })
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    await expect.poll(() => streets.getAttribute('aria-pressed')).toBe('true')
    await streets.click()
    await page.getByText(/Natural Earth/).waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('mapType'))).toBe('plain')
    asked.length = 0
    await page.reload()
    await page.getByText(/Natural Earth/).waitFor()
    await marker(/Gate/).waitFor()
    expect([await streets.getAttribute('aria-pressed'), asked]).toEqual(['false', []])
    await page.unroute('**/api/device/getMapSettings')
    await page.unroute('**/streets/**')
    await page.goto(HOME)
  })

  it('lists devices without a position, and sets a pin for one', async () => {
    await page.getByRole('tab', { name: 'No position 1' }).click()
    await page.getByRole('button', { name: 'Place a pin' }).click()
    const dialog = page.getByRole('dialog')
    const [longitude, latitude] = [dialog.getByLabel('Longitude'), dialog.getByLabel('Latitude')]
    const savable = () => dialog.getByRole('button', { name: 'Save position' }).getAttribute('aria-disabled')
    await longitude.pressSequentially('-121.05')
    // Half of a position is none: the other half is not 0°.
    expect([await longitude.inputValue(), await latitude.inputValue(), await savable()]).toEqual([
      '-121.05',
      '',
      'true',
    ])
    // Swapped coordinates stay as they were typed, and are refused: brought into bounds, they would be another place.
    await latitude.pressSequentially('121.05')
    await longitude.focus()
    await dialog.getByText('Longitude -180 to 180, latitude -90 to 90').waitFor()
    expect([await latitude.inputValue(), await savable()]).toEqual(['121.05', 'true'])
    await latitude.fill('3.5')
    await expect.poll(savable).toBe('false')
    await latitude.fill('')
    await expect.poll(savable).toBe('true')
    await dialog.locator('.leaflet-container').click()
    await expect.poll(() => latitude.inputValue()).not.toBe('')
    await dialog.getByRole('button', { name: 'Save position' }).click()
    await page.getByRole('tab', { name: 'No position 0' }).waitFor()
    expect(opened.errors).toEqual([])
  })

  it('moves to the devices if none is in the initial view', async () => {
    const { sql } = booted.context
    await sql`update devices set longitude = 13 + id % 3, latitude = 52 where customer_id = ${customerId}`
    await page.goto('/dashboard')
    await page.getByRole('heading', { name: 'Online rate' }).waitFor()
    await page.mouse.move(800, 120)
    await page.mouse.wheel(0, 20_000)
    await page.getByRole('tab', { name: /In view [1-9]/ }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('map')).toMatch(/^52,14,/)
  })
})
