/** [§4 Route guard] Which pages a user can open, and what a visit to the login page clears. */

import { describe, expect, it } from 'vitest'
import { pages, permissions, templateGrants } from '#infra/rights'
import { deviceDetailScreen } from '#schema/device/device-pages'
import { languages } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { packageScreen } from '#schema/task/package'
import { taskListScreen } from '#schema/task/task-pages'
import { TEST_PASSWORD, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, type Opened, settled } from './open-browser.ts'

let booted: Booted
let tenants: Tenants
let opened: Opened
let enter: Opening['enter']

const path = () => {
  const { pathname, search } = new URL(opened.page.url())
  return pathname + search
}
const stored = () =>
  opened.page.evaluate(() => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookie: document.cookie,
  }))
const fill = async (username: string) => {
  await opened.page.getByRole('textbox', { name: 'User name' }).fill(username)
  await opened.page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await opened.page.getByRole('button', { name: 'Log in', exact: true }).click()
}

describe.skipIf(noBrowser)('the route guard', () => {
  eachConsole((at) => {
    ;({ booted, tenants, opened, enter } = at)
  })

  it('without a token leads to the login, and after it to the requested page', async () => {
    const wanted = '/task/upgrade?status=ongoing&limit=20'
    await opened.page.goto(wanted)
    await opened.page.waitForURL('**/login?**')
    expect(new URL(opened.page.url()).searchParams.get('returnTo')).toBe(wanted)
    await fill(tenants.a.admin.username)
    await opened.page.waitForURL('**/task/upgrade?**')
    expect(path()).toBe(wanted)
  })

  it.each(['//evil.example/x', 'https://evil.example', '/\\evil.example'])(
    'never returns to %s, which is not ours',
    async (elsewhere) => {
      await opened.page.goto(`/login?returnTo=${encodeURIComponent(elsewhere)}`)
      await fill(tenants.a.admin.username)
      await opened.page.waitForURL('**/dashboard')
      expect(new URL(opened.page.url()).origin).toBe(booted.url)
    },
  )

  it('says that a page does not exist whose address holds no id of ours, without offering to retry', async () => {
    await enter(tenants.a.admin.username)
    await opened.page.goto('/device/recordings/99999')
    const alert = opened.page.getByRole('alert').filter({ hasText: 'does not exist' })
    await alert.waitFor()
    expect(await alert.getByRole('button').count()).toBe(0)
  })

  it('with a token that has ended leads to the login, which says so', async () => {
    await opened.carry('no.such.token')
    await opened.page.goto('/device/devicelist')
    await opened.page.waitForURL('**/login?**')
    await opened.page.getByText('Login status expired').waitFor()
  })

  it('without the menu id of a page leads to /404, and its menu does not name it', async () => {
    const { sql } = booted.context
    const kept = templateGrants('viewer').menuIds.filter((id) => id !== packageScreen.menuId)
    await sql`update roles set menu_ids = ${[...kept]} where customer_id is null and name = 'viewer'`
    await enter(tenants.a.viewer.username)
    await opened.page.goto('/task/softwarepackage')
    await opened.page.waitForURL('**/404')
    await opened.page.goto('/task/upgrade')
    await settled(opened.page)
    expect(path()).toBe('/task/upgrade')
    expect(await opened.page.getByRole('link', { name: 'Packages', exact: true }).count()).toBe(0)
  })

  it('no list links to a page that the user may not open', async () => {
    const { sql } = booted.context
    const names = opened.page.getByText(tenants.a.devices[1]?.sn ?? '', { exact: true })
    const links = opened.page.locator('main a[href^="/device/particulars/"]')
    const list = async () => {
      await enter(tenants.a.viewer.username)
      await opened.page.goto('/device/devicelist')
      await settled(opened.page)
      await names.first().waitFor()
    }
    await list()
    await expect.poll(() => links.count()).toBeGreaterThan(0)
    const kept = templateGrants('viewer').menuIds.filter((id) => id !== deviceDetailScreen.menuId)
    await sql`update roles set menu_ids = ${[...kept]} where customer_id is null and name = 'viewer'`
    await list()
    expect(await links.count()).toBe(0)
  })

  it('of a task, as linked in mails, leads those who may see configuration tasks only to the page that they may open', async () => {
    const { sql } = booted.context
    const kept = templateGrants('viewer').menuIds.filter((id) => id !== taskListScreen.menuId)
    await sql`update roles set menu_ids = ${[...kept]} where customer_id is null and name = 'viewer'`
    await enter(tenants.a.viewer.username)
    await opened.page.goto('/task/upgrade/7')
    await opened.page.waitForURL('**/resource/firmware/7')
    await opened.page.goto('/task/upgrade')
    await opened.page.waitForURL('**/404')
  })

  it('of the alarms of variables, as linked in mails, leads those without cloud monitoring to all alarms', async () => {
    const { sql } = booted.context
    await sql`update users set mon_state = 0 where id = ${tenants.a.viewer.id}`
    await enter(tenants.a.viewer.username)
    await opened.page.goto('/cloudMonitor/alarmManagement/alarmList')
    await opened.page.waitForURL('**/alarmMsg/currenttimewarn')
  })

  it('without the function id of a page leads to /404', async () => {
    const { sql } = booted.context
    await sql`update roles set function_ids = array_remove(function_ids, 53) where customer_id is null and name = 'viewer'`
    await enter(tenants.a.viewer.username)
    await opened.page.goto(`/device/particulars/1/${tenants.a.devices[1]?.id}`)
    await opened.page.waitForURL('**/404')
  })

  it.each(['/nowhere', '/device', '/task/upgrade/1/2/3'])(
    'of the unknown path %s leads to /404',
    async (unknown) => {
      await enter(tenants.a.admin.username)
      await opened.page.goto(unknown)
      await opened.page.waitForURL('**/404')
      await opened.page.locator('h1').first().waitFor()
    },
  )

  it('shows what a user may not do as disabled, with the reason', async () => {
    await enter(tenants.a.operator.username)
    await opened.page.goto('/task/softwarepackage')
    await settled(opened.page)
    const button = opened.page.getByRole('button', { name: 'Upload package' }).first()
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await button.hover()
    await opened.page.getByRole('tooltip').waitFor()
  })

  it.each([
    ['/alarmMsg/warnconfiguration?open=new', 'Add rule'],
    ['/task/upgrade?new=1', 'Next'],
    ['/task/upgrade?reboot=1', 'Next'],
    ['/resource/configtemplate?template=new', 'Save'],
  ])('a form that a link opens says at once that the user may not send it: %s', async (link, button) => {
    // Tests above take some of it away.
    const { menuIds, functionIds } = templateGrants('viewer')
    await booted.context.sql`
      update roles set menu_ids = ${[...menuIds]}, function_ids = ${[...functionIds]}
      where customer_id is null and name = 'viewer'`
    await enter(tenants.a.viewer.username)
    await opened.page.goto(link)
    await settled(opened.page)
    const send = opened.page.getByRole('dialog').getByRole('button', { name: button, exact: true })
    await expect.poll(() => send.getAttribute('aria-description')).toBe('You do not have permission for this')
  })

  it('a page neither reads nor offers what its role lacks, so that nothing warns of a missing right', async () => {
    const refused: string[] = []
    opened.page.on('response', async (response) => {
      if (!response.url().includes('/api/')) return
      const { code } = await response.json().catch(() => ({ code: 0 }))
      if (code === sessionRefusals.noPermission.code) refused.push(response.url())
    })
    const { sql } = booted.context
    const { id } = tenants.b.viewer
    const [role] = await sql<{ id: number }[]>`
      insert into roles (name, customer_id) select 'one page', customer_id from users where id = ${id} returning id`
    await sql`update users set role_id = ${role?.id ?? 0} where id = ${id}`
    await enter(tenants.b.viewer.username)
    const open = async (name: string) => {
      const page = pages.find((one) => one.name === name)
      if (!page) throw new Error(name)
      const functionIds = permissions.filter(({ under }) => under === name).map((one) => one.id)
      await sql`update roles set function_ids = ${functionIds}, menu_ids = ${[page.menuId]} where id = ${role?.id ?? 0}`
      await opened.page.goto(page.path)
      await settled(opened.page)
    }
    for (const name of ['online-report', 'terminal-list', 'unusual-list', 'package-list']) {
      await open(name)
      expect(
        await opened.page
          .getByRole('main')
          .getByPlaceholder(/^(All )?(group|model)s?$/i)
          .count(),
        name,
      ).toBe(0)
    }
    await open('device-list')
    const reason = (button: string) =>
      opened.page.getByRole('button', { name: button, exact: true }).getAttribute('aria-disabled')
    // Its form would have no group to choose; a file may name the groups.
    expect(await reason('Add device')).toBe('true')
    expect(await reason('Import CSV')).not.toBe('true')
    expect(refused).toEqual([])
  })

  it('ends at the login: it clears token, cookies and storage, but keeps the language', async () => {
    await opened.page.goto('/login')
    await opened.page.locator('select').selectOption('zh-TW')
    await opened.page.getByRole('button', { name: '登入', exact: true }).waitFor()
    await enter(tenants.a.admin.username)
    await opened.page.goto('/device/devicelist?search=x')
    await settled(opened.page)
    await opened.page.evaluate(() => {
      localStorage.setItem('left', 'over')
      sessionStorage.setItem('left', 'over')
    })
    const before = await stored()
    expect(before.cookie).toMatch(/token=.*menu=|menu=.*token=/)
    expect(before.local['user_id']).toBeDefined()
    await opened.page.goto('/login')
    await opened.page.locator('h1').first().waitFor()
    const after = await stored()
    expect(after.local).toEqual({ I18n: 'zh-TW' })
    expect(after.session).toEqual({})
    expect(after.cookie).not.toMatch(/token|permission|menu/)
    await expect.poll(() => opened.page.evaluate(() => document.documentElement.lang)).toBe('zh-TW')
    await opened.page.goto('/device/devicelist')
    await opened.page.waitForURL('**/login**')
  })

  it('does not end a session because a page of another site opens the login, by a link, a frame or a picture', async () => {
    await enter(tenants.a.admin.username)
    const { page } = opened
    await page.goto('/device/devicelist')
    await settled(page)
    const login = `${booted.url}/login`
    await page.route('http://other.example.test/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<img src="${login}"><iframe src="${login}"></iframe><a href="${login}">go</a>`,
      }),
    )
    await page.goto('http://other.example.test/')
    await page.getByRole('link', { name: 'go' }).click()
    await page.waitForURL('**/dashboard')
    await settled(page)
    expect((await stored()).cookie).toMatch(/token=/)
    await page.goto('/device/devicelist')
    await settled(page)
    expect(path()).toBe('/device/devicelist')
  })

  it('speaks zh-CN if the stored language is not supported, and reloads when another is chosen', async () => {
    await opened.page.goto('/login')
    await opened.page.evaluate(() => localStorage.setItem('I18n', 'fr-FR'))
    await opened.page.reload()
    await opened.page.locator('h1').first().waitFor()
    await expect.poll(() => opened.page.evaluate(() => document.documentElement.lang)).toBe('zh-CN')
    for (const language of languages.filter((one) => one !== 'zh-CN')) {
      await opened.page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
      await opened.page.locator('select').selectOption(language)
      await expect.poll(() => opened.page.evaluate(() => document.documentElement.lang)).toBe(language)
      expect(await opened.page.evaluate(() => 'sameDocument' in globalThis)).toBe(false)
    }
  })
})
