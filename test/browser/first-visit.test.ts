/** What a first visit loads on a slow connection. */
import type { Browser, Page, Request } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { alarmScreen, getAlarmList } from '#schema/alarm/alarm'
import { getDeviceList } from '#schema/device/device'
import { deviceListScreen } from '#schema/device/device-pages'
import { getUserDetails } from '#schema/people/session'
import { TEST_PASSWORD, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole } from './each-console.ts'
import { noBrowser, type Opened, picture, settled } from './open-browser.ts'

let booted: Booted
let browser: Browser
let opened: Opened
let tenants: Tenants

describe.skipIf(noBrowser)('a first visit', () => {
  eachConsole((at) => {
    ;({ booted, browser, opened, tenants } = at)
  })
  const get = (path: string, encodings: string) =>
    fetch(booted.url + path, { headers: { 'accept-encoding': encodings } })
  const html = async () => (await get('/login', 'identity')).text()

  it('has the texts of its language with the page itself, and asks for no others', async () => {
    const asked = async (page: Page) => {
      const texts: string[] = []
      const note = (request: Request) => {
        if (/\/(kit|session)-[\w-]+\.js$/.test(request.url())) texts.push(request.url())
      }
      page.on('request', note)
      await page.goto('/login')
      await settled(page)
      page.off('request', note)
      return texts.length
    }
    const context = await browser.newContext({ baseURL: booted.url })
    expect(await asked(await context.newPage())).toBe(0)
    await context.close()
    // A language that the server does not know yet: it is told, and knows it at the next visit.
    const { page } = opened
    expect(await asked(page)).toBe(2)
    expect(await asked(page)).toBe(0)
    expect(await page.locator('html').getAttribute('lang')).toBe('en-US')
  })

  it('works in a browser that lacks what came to Safari in 2024', async () => {
    const context = await browser.newContext({ baseURL: booted.url })
    await context.addInitScript(() => {
      for (const [where, name] of [
        [AbortSignal, 'any'],
        [Map, 'groupBy'],
        [Element.prototype, 'checkVisibility'],
      ] as const)
        Reflect.deleteProperty(where, name)
    })
    // What fills them in arrives last, and must still run first.
    await context.route('**/older-browsers.js', async (route) => {
      await new Promise((late) => setTimeout(late, 500))
      await route.continue()
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto('/login')
    await page.getByLabel('用户名').last().fill(tenants.a.admin.username)
    await page.getByLabel('密码').first().fill(TEST_PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
    // The tree of groups, and a field whose choices are grouped.
    await page.goto('/device/devicelist')
    await page.getByRole('treeitem').first().waitFor()
    // The shell listens to keys when it has been loaded.
    await settled(page)
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog').waitFor()
    await settled(page)
    expect(errors).toEqual([])
    await context.close()
  })

  it('says in every language that a browser is too old, or runs no scripts, instead of staying empty', async () => {
    const context = await browser.newContext({ baseURL: booted.url })
    await context.addInitScript(() => {
      // As in a browser of 2021.
      Object.defineProperty(Object, 'hasOwn', { value: undefined })
    })
    const page = await context.newPage()
    await page.goto('/login')
    for (const text of ['版本过旧', '版本過舊', 'too old']) await page.getByText(text).waitFor()
    await picture(page, 'first-visit', 'too-old')
    await context.close()
    const plain = await browser.newContext({ baseURL: booted.url, javaScriptEnabled: false })
    const still = await plain.newPage()
    await still.goto('/login')
    // Playwright finds no text within <noscript>.
    const told = await still.locator('body').innerText()
    for (const text of ['启用 JavaScript', '啟用 JavaScript', 'needs JavaScript'])
      expect(told).toContain(text)
    await plain.close()
    await opened.page.goto('/login')
    await settled(opened.page)
    expect(await opened.page.getByText('too old').isVisible()).toBe(false)
  })

  it('requests its data once, without waiting for the user and the texts', async () => {
    const { page } = opened
    await opened.carry(await booted.login(tenants.a.admin.username, TEST_PASSWORD))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const [path, call, lateMs] of [
      // Rows are read again when they are shown later than two seconds after a page has asked for them, but these are new.
      [deviceListScreen.path, getDeviceList, 3_000],
      [alarmScreen.path, getAlarmList, 0],
    ] as const) {
      asked.length = 0
      // The user details arrive only after the rows were requested, else the test fails.
      await page.route(`**${getUserDetails.path}`, async (route) => {
        await expect.poll(() => asked).toContain(call.path)
        await new Promise((late) => setTimeout(late, lateMs))
        await route.continue()
      })
      await page.goto(path)
      await settled(page)
      expect(asked.filter((one) => one === call.path)).toHaveLength(1)
      await page.unroute(`**${getUserDetails.path}`)
    }
  })

  it('gets precompressed files, or in an encoding that it supports', async () => {
    const path = /src="(\/assets\/first-[\w-]+\.js)"/.exec(await html())?.[1] ?? ''
    const encodings = ['br', 'gzip', 'identity']
    const answers = await Promise.all(encodings.map((encoding) => get(path, encoding)))
    expect(answers.map((answer) => answer.headers.get('content-encoding'))).toEqual(['br', 'gzip', null])
    expect(answers.map((answer) => answer.headers.get('content-type'))).toEqual(
      Array(3).fill('application/javascript; charset=utf-8'),
    )
    const [first, ...others] = await Promise.all(answers.map((answer) => answer.text()))
    for (const other of others) expect(other === first).toBe(true)
    expect(answers[0]?.headers.get('vary')).toContain('accept-encoding')
    expect(answers[0]?.headers.get('cache-control')).toContain('immutable')
  })
})
