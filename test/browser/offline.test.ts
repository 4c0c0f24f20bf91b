/** Nothing fails silently: without a network, without the api, on a slow line, and with another login in another tab. */
import type { Locator, Page } from '@playwright/test'
import { afterEach, describe, expect, it } from 'vitest'
import { TEST_PASSWORD, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, type Opened, picture, settled } from './open-browser.ts'

let booted: Booted
let tenants: Tenants
let opened: Opened
let enter: Opening['enter']
let page: Page

const LIST = '/device/devicelist'
const bar = () => page.getByRole('alert').filter({ hasText: 'No connection to the server since' })
const back = () => page.getByText(/Back online since \d\d:\d\d:\d\d/)
const form = () => page.getByRole('dialog', { name: 'Add device' })
const dialog = () => page.getByRole('dialog')
const add = () => form().getByRole('button', { name: 'Add', exact: true }).click()
const devices = async (sn: string) =>
  (await booted.context.sql`select id from devices where sn = ${sn}`).length

async function fill(sn: string) {
  await page.getByRole('button', { name: 'Add device' }).first().click()
  await form().getByLabel('Serial number').fill(sn)
  await form().getByRole('textbox', { name: 'Name' }).fill('Till 1')
  await form().getByRole('textbox', { name: 'Address' }).fill('Street 1')
  await form().getByRole('combobox', { name: 'Group' }).click()
  await page.getByRole('option').first().click()
}

/**
 * Only what takes long is given up, which may first be a request that the console makes by itself: once more, until what the
 * test waits for was long, too.
 */
async function stopWaiting(until: () => Locator) {
  const stop = page.getByRole('button', { name: 'Stop waiting' })
  const isGivenUp = async () => {
    await stop.or(until()).first().waitFor()
    if (await stop.isVisible()) await stop.click({ timeout: 5_000 }).catch(() => undefined)
    return until().isVisible()
  }
  await expect.poll(isGivenUp).toBe(true)
}

/** Adds latency in ms to every response. Returns how to end it. */
async function slowDown(latency: number) {
  const session = await opened.context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  return () => session.detach()
}

describe.skipIf(noBrowser)('without the server', () => {
  eachConsole(async (at) => {
    ;({ booted, tenants, opened, enter, page } = at)
    await enter(tenants.a.admin.username)
    await page.goto(LIST)
    await settled(page)
  })
  afterEach(() => opened.context.setOffline(false))

  // The first: what another test has opened is in the cache.
  it('a part of the console that is needed for the first time waits for the network; the page stays', async () => {
    await page.evaluate(() => Object.assign(window, { stays: true }))
    await opened.context.setOffline(true)
    await bar().waitFor()
    await page.getByRole('button', { name: 'Add device' }).first().click()
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    expect(await form().count()).toBe(0)
    await opened.context.setOffline(false)
    await form().waitFor()
    expect(await page.evaluate(() => 'stays' in window)).toBe(true)
  })

  it('a lost network shows one bar at once, the age of the rows, and that it is back', async () => {
    await opened.context.setOffline(true)
    await bar().waitFor({ timeout: 1_000 })
    expect(await bar().textContent()).toMatch(/since \d\d:\d\d:\d\d\. What you see is from \d\d:\d\d:\d\d/)
    await page
      .getByText(/^As of \d\d:\d\d:\d\d$/)
      .first()
      .waitFor()
    await picture(page, 'offline', 'lost')
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    expect(await page.getByRole('alert').count()).toBe(1)
    const [first] = tenants.a.devices
    await booted.context.sql`update devices set name = 'Renamed meanwhile' where id = ${first?.id ?? 0}`
    await opened.context.setOffline(false)
    await back().waitFor()
    await picture(page, 'offline', 'back')
    await page.getByText('Renamed meanwhile').first().waitFor()
    await expect.poll(() => bar().count()).toBe(0)
    await back().waitFor({ state: 'detached' })
    await expect.poll(() => page.getByText(/^As of/).count()).toBe(0)
  })

  it('a write fails at once, keeps what was typed, and is not sent on reconnect', async () => {
    await fill('NOTSENT-1')
    await opened.context.setOffline(true)
    await bar().waitFor()
    await add()
    await form().getByText('Not sent, nothing was changed: the server cannot be reached').waitFor()
    await picture(page, 'offline', 'not-sent')
    await opened.context.setOffline(false)
    await back().waitFor()
    await back().waitFor({ state: 'detached' })
    expect(await devices('NOTSENT-1')).toBe(0)
    await expect.poll(() => form().getByLabel('Serial number').inputValue()).toBe('NOTSENT-1')
    await form().getByRole('button', { name: 'Retry' }).click()
    await form().waitFor({ state: 'hidden' })
    expect(await devices('NOTSENT-1')).toBe(1)
  })

  it('the same while the api restarts', async () => {
    await fill('RESTART-1')
    await booted.stopApi()
    // The first request that fails tells; the console asks for changes of permissions every 10 s.
    await bar().waitFor()
    await add()
    await form().getByText('Not sent, nothing was changed').waitFor()
    await booted.startApi()
    await back().waitFor()
    expect(await devices('RESTART-1')).toBe(0)
    await form().getByRole('button', { name: 'Retry' }).click()
    await form().waitFor({ state: 'hidden' })
    expect(await devices('RESTART-1')).toBe(1)
  }, 120_000)

  it('a proxy without a server behind it is the same', async () => {
    const broken = (status: number) => (route: { fulfill: (with_: object) => Promise<void> }) =>
      route.fulfill({ status, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
    await page.route('**/healthz', broken(502))
    await page.route('**/api/**', broken(502))
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await bar().waitFor()
    await page.unrouteAll()
    await back().waitFor()
  })

  it('a slow line says so, and a read can be given up', async () => {
    await slowDown(12_000)
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await page.getByText(/The server has not answered for \d+ sec/).waitFor()
    await picture(page, 'offline', 'slow')
    await stopWaiting(() => page.getByRole('alert').getByText('You stopped waiting for the response').first())
    await page
      .getByText(/^As of/)
      .first()
      .waitFor()
  })

  it('a form that is being saved does not ask whether to discard it', async () => {
    await fill('SAVING-1')
    const speedUp = await slowDown(3000)
    await add()
    await page.keyboard.press('Escape')
    const cancel = form().getByRole('button', { name: 'Cancel' })
    expect(await cancel.getAttribute('aria-description')).toBe('It is being sent')
    await page.getByRole('dialog', { name: 'Secret of SAVING-1' }).waitFor()
    await form().waitFor({ state: 'hidden' })
    expect(await dialog().count()).toBe(1)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await speedUp()
  })

  it('a write given up may have been carried out: the operation log has its request id', async () => {
    await fill('UNKNOWN-1')
    const speedUp = await slowDown(12_000)
    await add()
    const failure = form().getByRole('alert')
    await stopWaiting(() => failure.getByText('it is unknown whether this was carried out'))
    await picture(page, 'offline', 'unknown')
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec((await failure.textContent()) ?? '')?.[0] ?? ''
    await expect.poll(() => devices('UNKNOWN-1')).toBe(1)
    await speedUp()
    page = await opened.context.newPage()
    await page.goto(`/system/operationlog?search=${id}`)
    await settled(page)
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByText('UNKNOWN-1').first().waitFor()
  }, 120_000)
})

describe.skipIf(noBrowser)('another login in another tab', () => {
  eachConsole(async (at) => {
    ;({ booted, tenants, opened, enter, page } = at)
    await enter(tenants.a.admin.username)
    await page.goto(LIST)
    await settled(page)
  })
  const logIn = async (username: string) => {
    const tab = await opened.context.newPage()
    await tab.goto('/login')
    await tab.getByRole('textbox', { name: 'User name' }).fill(username)
    await tab.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await tab.getByRole('button', { name: /^Log in/ }).click()
    await tab.waitForURL('**/dashboard')
    return tab
  }

  it('of another user stops this tab at once, and nothing is sent in the wrong name', async () => {
    await fill('WRONG-NAME')
    const other = tenants.b.admin.username
    await logIn(other)
    await page.bringToFront()
    await dialog()
      .getByRole('heading', { name: `${other} has logged in in another tab` })
      .waitFor()
    await picture(page, 'offline', 'other-user')
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await form().getByRole('button', { name: 'Add', exact: true }).click({ force: true })
    await page.waitForTimeout(500)
    expect(sent.filter((url) => url.includes('/api/device/'))).toEqual([])
    expect(await devices('WRONG-NAME')).toBe(0)
    await dialog()
      .getByRole('button', { name: `Continue as ${other}` })
      .click()
    await page.waitForURL('**/dashboard')
    await page.getByRole('banner').getByRole('button', { name: other }).waitFor()
  })

  it('ended there asks for the password over this page, sends nothing before, and keeps the input', async () => {
    await fill('ENDED-1')
    const tab = await opened.context.newPage()
    await tab.goto('/tokens')
    await settled(tab)
    await tab.getByRole('banner').getByRole('button', { name: tenants.a.admin.username }).click()
    await tab.getByRole('menuitem', { name: 'Log out' }).click()
    // Drafts of the other tab would be deleted.
    const question = tab.getByRole('dialog').getByRole('button', { name: 'Log out' })
    await question
      .or(tab.getByRole('button', { name: /^Log in/ }))
      .first()
      .waitFor()
    if (await question.isVisible()) await question.click()
    await tab.waitForURL('**/login')
    await page.bringToFront()
    const again = page.getByRole('dialog', { name: 'Login status expired, please log in again' })
    await again.getByLabel('Password', { exact: true }).waitFor()
    expect(await devices('ENDED-1')).toBe(0)
    await again.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await again.getByRole('button', { name: 'Log in again' }).click()
    await again.waitFor({ state: 'hidden' })
    await expect.poll(() => form().getByLabel('Serial number').inputValue()).toBe('ENDED-1')
    await add()
    await form().waitFor({ state: 'hidden' })
    expect(await devices('ENDED-1')).toBe(1)
  }, 120_000)

  it('of the same user continues here, with the input', async () => {
    await fill('SAME-1')
    await logIn(tenants.a.admin.username)
    await page.bringToFront()
    await expect.poll(() => dialog().count()).toBe(1)
    await add()
    await form().waitFor({ state: 'hidden' })
    expect(await devices('SAME-1')).toBe(1)
  })
})

describe.skipIf(noBrowser)('a browser whose clock is wrong', () => {
  eachConsole(async (at) => {
    ;({ booted, tenants, opened, enter, page } = at)
    await enter(tenants.a.admin.username)
  })

  it.each([
    ['10 minutes behind', -600_000],
    ['10 minutes ahead', 600_000],
  ])(
    '%s shows the server’s times: just now is neither in the future nor 10 minutes ago',
    async (_name, byMs) => {
      const [first] = tenants.a.devices
      await booted.context
        .sql`update device_states set last_seen_at = now() where device_id = ${first?.id ?? 0}`
      await page.clock.install({ time: Date.now() + byMs })
      await page.goto(`${LIST}?search=${first?.sn ?? ''}`)
      await settled(page)
      await page.getByRole('button', { name: 'Columns' }).click()
      const column = page.getByRole('menuitem', { name: 'Last seen' })
      if (!(await column.getByRole('checkbox').isChecked())) await column.click()
      await page.keyboard.press('Escape')
      await page.locator('main time').first().waitFor()
      const times = await page.locator('main time').allTextContents()
      expect(times.length).toBeGreaterThan(0)
      expect(times.filter((text) => /^in |1\d min/.test(text))).toEqual([])
      for (const path of ['/dashboard', '/cloudMonitor/cloudMonitorHome']) {
        await page.goto(path)
        const asOf = await page.getByText(/as of \d\d:\d\d/i).innerText()
        // The server's time is known to the second.
        const near = [-2_000, 0, 60_000].map((ms) => new Date(Date.now() - ms).toTimeString().slice(0, 5))
        expect(near).toContain(asOf.slice(-5))
      }
    },
  )
})
