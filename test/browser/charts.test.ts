/** Charts of reports and of a device: one time in all of them, by pointer and keyboard; pictures and paper are white. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole } from './each-console.ts'
import { noBrowser, type Opened, picture, settled } from './open-browser.ts'
import { reportPast } from './report-past.ts'

let booted: Booted
let tenants: Tenants
let opened: Opened
let page: Page
let filled: Booted | undefined

const go = async (path: string) => {
  await page.goto(path)
  await settled(page)
}
const chart = (name: string) => page.getByRole('img', { name, exact: true })
const values = (name: string) => page.getByRole('slider', { name: `Read the values of “${name}”` })
const marks = () => page.locator('[data-mark]')
const dark = () => page.context().addCookies([{ name: 'theme', value: 'dark', url: booted.url }])
/** Of a PNG or a canvas: share of white pixels, and the colour of the corner. */
const whiteness = (source: string) =>
  page.evaluate(async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    const { width, height } = image
    const paper = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    paper?.drawImage(image, 0, 0)
    const data = paper?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
    let white = 0
    for (let i = 0; i < data.length; i += 4)
      if (Math.min(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0) > 225) white++
    return { corner: [...data.slice(0, 4)], share: white / (data.length / 4) }
  }, source)

describe.skipIf(noBrowser)('charts', () => {
  eachConsole(async (at) => {
    ;({ booted, tenants, opened, page } = at)
    if (filled !== booted) {
      const { sql } = booted.context
      await sql`update devices set firmware = case when id % 3 = 0 then '3.2.9' else '3.3.0' end, model = 'R200'`
      await reportPast(booted.context)
      // Every ten minutes for two days, with a gap of six hours.
      await sql`
        insert into status_samples (device_id, at, uptime_s, rx_bytes, tx_bytes, signal_dbm)
        select ${tenants.a.devices[0]?.id ?? 0}, now() - k * interval '10 minutes', (300 - k) * 600, (300 - k) * 900000, (300 - k) * 100000,
          -72 + 9 * sin(k / 9.0)
        from generate_series(1, 288) k where k not between 60 and 96
        on conflict do nothing`
      filled = booted
    }
    await at.enter(tenants.a.admin.username)
  })

  it('are drawn at once for a user who wants no motion', async () => {
    await page.addInitScript(() => {
      const seen = new Set<string>()
      Object.assign(globalThis, { seen })
      const look = () => {
        const canvas = document.querySelector('canvas')
        if (canvas) seen.add(`${canvas.width} ${canvas.height} ${canvas.toDataURL().length}`)
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await go('/graphs/softwareversion')
    await page.locator('canvas').first().waitFor()
    await page.waitForTimeout(500)
    const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])
    // Empty, and drawn: again for each width that its place gets. Growing bars would be another picture in each frame.
    const bySize = Map.groupBy(seen, (picture) => picture.slice(0, picture.lastIndexOf(' ')))
    expect(Math.max(...[...bySize.values()].map((pictures) => pictures.length))).toBeLessThanOrEqual(3)
  })

  it('pointing at one chart of a report marks the time on the others', async () => {
    await go('/graphs/signalstatistics')
    await chart('Signal strength').hover({ position: { x: 500, y: 120 } })
    await expect.poll(() => marks().count()).toBe(1)
    const text = await marks().innerText()
    expect(text).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d$/)
    const [own, left] = await Promise.all([
      chart('Signal strength').boundingBox(),
      marks().evaluate((line) => line.getBoundingClientRect().left),
    ])
    // Both charts have the same width: within one bucket of an hour.
    expect(Math.abs(left - (own?.x ?? 0) - 500)).toBeLessThan(20)
    await page.mouse.move(2, 2)
    await expect.poll(() => marks().count()).toBe(0)
  })

  it('the keyboard does the same and reads the values', async () => {
    await go('/graphs/signalstatistics')
    const slider = values('Signal strength')
    await slider.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'))
      .toMatch(/^20\d\d-.* · Average: .* · Lowest: /)
    const told = (await slider.getAttribute('aria-valuetext'))?.slice(0, 16)
    await expect.poll(() => marks().allInnerTexts()).toEqual([told])
    await page.keyboard.press('Tab')
    await expect.poll(() => marks().allInnerTexts()).not.toEqual([told])
  })

  it('a picture is white, also from the dark theme', async () => {
    await dark()
    for (const path of ['/graphs/signalstatistics', '/graphs/onlinerate']) {
      await go(path)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export PNG' }).click(),
      ])
      const png = (await readFile(await download.path())).toString('base64')
      const { corner, share } = await whiteness(`data:image/png;base64,${png}`)
      expect(corner).toEqual([255, 255, 255, 255])
      expect(share, path).toBeGreaterThan(0.5)
    }
  })

  it('paper is white and has no navigation, but says whose data of which range it is', async () => {
    await dark()
    await go('/graphs/onlinerate')
    expect(await page.getByText('Printed').count()).toBe(0)
    await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' })
    const shown = () =>
      page.evaluate(() => ({
        background: getComputedStyle(document.body).backgroundColor,
        navigation: [...document.querySelectorAll('nav, [role="toolbar"], button')].filter((element) =>
          element.checkVisibility(),
        ).length,
        text: document.querySelector('main')?.innerText ?? '',
      }))
    await expect.poll(async () => (await shown()).text).toMatch(/Printed 20\d\d-\d\d-\d\d .* by /)
    const { background, text } = await shown()
    expect(background).toBe('rgb(255, 255, 255)')
    const heads = text.split('\n').slice(0, 8).join(' ')
    expect(heads).toContain('Online rate')
    expect(heads).toMatch(/20\d\d-\d\d-\d\d .* – 20\d\d-\d\d-\d\d/)
    expect(heads).toContain('Time zone')
    await expect
      .poll(() =>
        page.getByRole('navigation').evaluateAll((all) => all.filter((one) => one.checkVisibility()).length),
      )
      .toBe(0)
    // Drawn with the light colours: the labels of the axis are dark.
    const drawn = await chart('Online rate')
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement) => {
        const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
        let light = 0
        for (let i = 0; i < data.length; i += 4)
          if ((data[i + 3] ?? 0) > 200 && Math.min(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0) > 200)
            light++
        return light / data.length
      })
    expect(drawn).toBeLessThan(0.01)
    await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' })
    await expect.poll(async () => (await shown()).background).not.toBe('rgb(255, 255, 255)')
  })

  it.each(['/device/devicelist', '/graphs/signalstatistics', '/task/upgrade'])(
    '%s is printed whole',
    async (path) => {
      await go(path)
      await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' })
      // An A4 sheet between its margins.
      await page.setViewportSize({ width: 703, height: 1000 })
      await page.getByText('Printed').waitFor()
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter((element) => element.querySelector(':scope table, :scope tr') && element.checkVisibility())
          .filter((element) => getComputedStyle(element).overflow !== 'visible' || element.scrollWidth > 703)
          .map((element) => element.className),
      )
      expect(cut).toEqual([])
      expect(await page.getByText('Skip to the content').isVisible()).toBe(false)
      // A state is one line, as is a serial number.
      const lines = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('td [class*="chip"], td [class*="mono"]')]
          .filter((element) => element.checkVisibility() && element.innerText.length < 16)
          .filter((element) => element.scrollHeight > 40)
          .map((element) => element.innerText),
      )
      expect(lines).toEqual([])
      await picture(page, 'print', path)
      await page.setViewportSize({ width: 1440, height: 900 })
    },
  )

  it('the page of a device is as wide as the paper, and the home page keeps no room for its unseen map', async () => {
    await page.setViewportSize({ width: 1440, height: 500 })
    const print = async (path: string) => {
      await go(path)
      await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' })
      await page.getByText('Printed').waitFor()
    }
    await print(`/device/particulars/${tenants.a.groups.root}/${tenants.a.devices[0]?.id}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' })
    await print('/dashboard')
    const below = () =>
      page.evaluate(() => {
        const cards = [...document.querySelectorAll('main section')].map((card) =>
          card.getBoundingClientRect(),
        )
        return document.documentElement.scrollHeight - Math.max(...cards.map(({ bottom }) => bottom))
      })
    await expect.poll(below).toBeLessThan(100)
    await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the charts of a device have the range of the reports, in the address', async () => {
    const device = tenants.a.devices[0]
    const asked: { hours?: number; from?: string; buckets: number }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/getStatusChart')) asked.push(request.postDataJSON())
    })
    await go(`/device/particulars/${tenants.a.groups.root}/${device?.id}`)
    await chart('Signal strength').hover({ position: { x: 300, y: 100 } })
    await expect.poll(() => marks().count()).toBe(1)
    await page.getByText('7 d', { exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('7d')
    await expect.poll(() => asked.at(-1)).toMatchObject({ hours: 168 })
    await page.reload()
    await settled(page)
    await expect.poll(() => page.getByRole('radio', { name: '7 d' }).isChecked()).toBe(true)
    await page.getByText('Custom', { exact: true }).click()
    await page.getByText('Choose the first and the last day').waitFor()
    await page.getByLabel('First day').fill('2026-01-05')
    await page.getByLabel('Last day').fill('2026-01-06')
    await expect.poll(() => asked.at(-1)?.from).toMatch(/^2026-01-0/)
    await page.getByText('No data in this period').first().waitFor()
    expect(opened.errors).toEqual([])
  })

  it('days are typed as they are written and picked in the language of the console, whatever the browser’s is', async () => {
    await page.evaluate(() => localStorage.setItem('I18n', 'zh-CN'))
    await go('/graphs/onlinerate?range=custom')
    const first = page.getByLabel('开始日期')
    await first.fill('2026-01-05')
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2026-01-05')
    await page.getByRole('button', { name: '选择月份或年份' }).getByText('2026 年 1 月').waitFor()
    // Not complete, and no day: the last one stays.
    for (const typed of ['2026-01', '2026-02-30']) {
      await first.fill(typed)
      await first.blur()
      await expect.poll(() => first.inputValue()).toBe('2026-01-05')
    }
    await first.click()
    await page.getByRole('button', { name: '7 一月 2026', exact: true }).click()
    await expect.poll(() => first.inputValue()).toBe('2026-01-07')
    expect(new URL(page.url()).searchParams.get('from')).toBe('2026-01-07')
    await page.evaluate(() => localStorage.setItem('I18n', 'en-US'))
  })

  it('a moment keeps its time of day with another day, and Escape closes the calendar before the drawer', async () => {
    await go('/alarmMsg/warnconfiguration?open=maintenance')
    await page.getByRole('button', { name: 'Add window' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Add window' })
    const from = drawer.getByLabel(/^From/)
    await from.fill('2027-03-05 06:45')
    const day = page.getByRole('button', { name: '9 March 2027', exact: true })
    await day.click()
    await expect.poll(() => from.inputValue()).toBe('2027-03-09 06:45')
    await from.click()
    await day.waitFor()
    await page.keyboard.press('Escape')
    await day.waitFor({ state: 'hidden' })
    expect(await drawer.isVisible()).toBe(true)
  })

  it('a file is not offered while the figures of the range before are still drawn', async () => {
    await go('/graphs/flowstatistics')
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/report/**', async (route) => {
      await answer.promise
      await route.continue()
    })
    const csv = page.getByRole('button', { name: 'Export CSV' })
    await expect.poll(() => csv.getAttribute('aria-disabled')).not.toBe('true')
    await page.getByText('30 d', { exact: true }).click()
    // Before the request is given up, after which there are no figures at all.
    await expect.poll(() => csv.getAttribute('aria-disabled'), { timeout: 10_000 }).toBe('true')
    answer.resolve()
    await expect.poll(() => csv.getAttribute('aria-disabled')).not.toBe('true')
  })

  it('a version has the same colour on the home page and in the report', async () => {
    const bars = (rows: string) =>
      page.locator(rows).evaluateAll((all) =>
        Object.fromEntries(
          all.flatMap((row) => {
            const bar = row.querySelector('[class*="Progress-section"]')
            const version = /3\.\d\.\d/.exec(row.textContent ?? '')?.[0]
            return bar && version ? [[version, getComputedStyle(bar).backgroundColor]] : []
          }),
        ),
      )
    await go('/dashboard')
    const home = await bars('main a')
    expect(new Set(Object.values(home)).size).toBe(2)
    await go('/graphs/softwareversion')
    expect(await bars('main tr')).toEqual(home)
  })
})
