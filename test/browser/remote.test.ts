/** Remote operation in the console: a terminal that is typed in, and the web page of a device in a window of its own. */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { startDeviceSim } from '#device-sim/start'
import { TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { until } from '../walks/until.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture } from './open-browser.ts'

describe.skipIf(noBrowser)('remote operation', () => {
  let opening: Opening
  let device: TestDevice
  let sim: Awaited<ReturnType<typeof startDeviceSim>>

  eachConsole(async (next) => {
    opening = next
    const [first] = next.tenants.a.devices
    if (!first) throw new Error('no device')
    device = first
    sim ??= await startDeviceSim({
      count: 1,
      seed: 1,
      mqttUrl: next.booted.mqttUrl,
      dataDir: `${next.booted.context.env.DATA_DIR}/sim`,
      faults: {},
      speed: 30,
      log: next.booted.context.log,
      fleet: [{ sn: device.sn, model: 'R200' }],
      secrets: { [device.sn]: device.secret },
    })
    await sim.whenOnline(20_000)
    await next.enter(next.tenants.a.admin.username)
  })
  afterAll(() => sim?.close())

  it('a terminal connects, logs in, shows what is typed, and closes', async () => {
    const { page } = opening
    const as = await opening.booted.login(opening.tenants.a.admin.username, TEST_PASSWORD)
    await opening.booted.call('remote/addSnippet', { name: 'Who', text: 'whoami' }, as)
    await page.goto(`/device/particulars/${device.groupId}/${device.id}?tab=remote`)
    await page.getByRole('button', { name: 'Terminal' }).click()
    await page.waitForURL(`**/terminal/webssh/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: 'Log in' }).click({ timeout: 30_000 })
    const rows = page.locator('.xterm-rows')
    await rows.getByText(':~#').first().waitFor()
    await page.keyboard.type('echo 路由器-ok')
    await page.keyboard.press('Enter')
    await until('the echo', async () => ((await rows.innerText()).match(/路由器-ok/g) ?? []).length >= 2)
    await picture(page, 'remote', 'terminal')
    // A snippet of the customer: shown, then run.
    await page.getByRole('button', { name: 'Snippets', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Who' }).click()
    await picture(page, 'remote', 'snippet')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await until('its output', async () => /whoami\s+root/.test(await rows.innerText()))
    // Another page and back: the shell is still there.
    await page.getByRole('link', { name: 'Devices', exact: true }).first().click()
    await page.waitForURL('**/device/devicelist*')
    await page.goBack()
    await page.waitForURL('**/terminal/webssh/**')
    await page.locator('.xterm-screen').click()
    await page.keyboard.type('uname\n')
    await rows.getByText('Linux').first().waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('The session has ended.').waitFor()
    await page.goto('/device/remotesession')
    await page.getByRole('row').filter({ hasText: device.sn }).first().waitFor()
    await picture(page, 'remote', 'sessions')
  }, 120_000)

  it('a terminal reconnects by itself when the device was away, and keeps what it has shown', async () => {
    const { page } = opening
    await page.goto(`/terminal/webssh/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: 'Log in' }).click({ timeout: 30_000 })
    const rows = page.locator('.xterm-rows')
    await rows.getByText(':~#').first().waitFor()
    await page.keyboard.type('echo before-it\n')
    await until('the echo', async () => ((await rows.innerText()).match(/before-it/g) ?? []).length >= 2)
    const part = sim.device(device.sn)
    part?.down()
    await page.getByText('The connection was interrupted').waitFor()
    await picture(page, 'remote', 'away')
    part?.boot()
    await page.getByRole('button', { name: 'Log in' }).click({ timeout: 30_000 })
    await until('a new shell below the old text', async () => {
      const text = await rows.innerText()
      return text.includes('before-it') && (text.match(/BusyBox built-in shell/g) ?? []).length === 2
    })
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('The session has ended.').waitFor()
  }, 120_000)

  it('the web page of a device opens under its own origin, logs in, and knows nothing of the console', async () => {
    const { page } = opening
    await page.goto(`/web/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const open = page.getByRole('button', { name: 'Open the page' })
    await open.waitFor({ timeout: 30_000 })
    const [shown] = await Promise.all([page.context().waitForEvent('page'), open.click()])
    await shown.getByRole('button', { name: 'Log in' }).click({ timeout: 20_000 })
    await shown.locator('#model').getByText('R200').waitFor()
    await shown.locator('#live').getByText('up').waitFor()
    expect(new URL(shown.url()).hostname).toMatch(/^[0-9a-f]{40}\.localhost$/)
    const seen = await shown.evaluate(async (api) => {
      const called = await fetch(`${api}/api/user/getUserDetails`, { credentials: 'include' }).then(
        () => 'answered',
        () => 'refused',
      )
      return { cookies: document.cookie, opener: String(window.opener), called }
    }, opening.booted.url)
    expect(seen).toEqual({ cookies: '', opener: 'null', called: 'refused' })
    await picture(page, 'remote', 'web')
    await page.goto(`/gateone/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Open the terminal' }).waitFor()
    await picture(page, 'remote', 'operation')
  }, 120_000)

  it('files are listed, uploaded and downloaded in the pane, and what the terminal has shown is replayed', async () => {
    const { page } = opening
    await page.goto(`/terminal/webssh/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: 'Log in' }).first().click({ timeout: 30_000 })
    const rows = page.locator('.xterm-rows')
    await rows.getByText(':~#').first().waitFor()
    await page.keyboard.type('echo seen-again\n')
    await until('the echo', async () => ((await rows.innerText()).match(/seen-again/g) ?? []).length >= 2)
    await picture(page, 'remote', 'files-closed')
    await page.getByRole('button', { name: 'Open the files' }).click()
    await page.locator('input[type=file]').setInputFiles({
      name: 'ports.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('502\n'),
    })
    const sent = page.getByRole('row').filter({ hasText: 'ports.txt' })
    await sent.waitFor()
    const saved = page.waitForEvent('download')
    await sent.getByRole('button', { name: 'Download' }).click()
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe('502\n')
    await page.getByRole('button', { name: '/', exact: true }).click()
    await page.getByRole('button', { name: 'etc' }).click()
    await page.getByRole('row').filter({ hasText: 'openwrt_release' }).waitFor()
    await picture(page, 'remote', 'files')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.goto('/device/recordings')
    await page.getByRole('row').filter({ hasText: device.sn }).first().getByRole('link').first().click()
    await page.waitForURL('**/device/recordings/*')
    await page.locator('.xterm-rows').getByText('seen-again').first().waitFor()
    await picture(page, 'remote', 'replay')
  }, 120_000)

  it('a device whose group demands it opens after a second person has approved', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    await sql`update groups set remote_approval = 'required' where id = ${device.groupId}`
    try {
      await page.goto(`/terminal/webssh/${device.id}/${device.sn}`)
      await page.getByRole('button', { name: 'Ask for access' }).click()
      const drawer = page.getByRole('dialog')
      await drawer.getByLabel('Reason').fill('pump stands still')
      await picture(page, 'remote', 'access-ask')
      await drawer.getByRole('button', { name: 'Ask for access' }).click()
      await page.getByText('Waiting for an approval').waitFor()
      const connect = page.getByRole('button', { name: 'Connect', exact: true })
      expect(await connect.getAttribute('aria-disabled')).toBe('true')
      const as = await booted.login(tenants.superAdmin.username, TEST_PASSWORD)
      const [row] = await sql<
        { id: number }[]
      >`select id from remote_accesses where state = 'waiting' order by id desc`
      expect((await booted.call('remote/approveAccess', { accessId: row?.id }, as)).code).toBe(0)
      await page.getByText('Approved by').waitFor()
      await connect.click()
      await page.getByRole('button', { name: 'Log in' }).waitFor({ timeout: 30_000 })
      await picture(page, 'remote', 'access-approved')
      // Ended by somebody else: the terminal closes at once, and says why.
      await booted.call('remote/endAccess', { accessId: row?.id }, as)
      await page.getByText('Closed, because its approval ended').waitFor()
      await page.goto('/device/remoteaccess')
      await page.getByRole('row').filter({ hasText: 'pump stands still' }).waitFor()
      await picture(page, 'remote', 'access-list')
    } finally {
      await sql`update groups set remote_approval = 'inherit' where id = ${device.groupId}`
    }
  }, 120_000)
})
