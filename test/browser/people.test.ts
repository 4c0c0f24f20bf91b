/**
 * [§6] Users in a real browser: permissions follow an open console, a customer's look, and a role created from a
 * template.
 */

import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { templateGrants } from '#infra/rights'
import { deviceRebootPermission } from '#schema/device/commands/power'
import {
  deviceDetailPermission,
  deviceExportPermission,
  deviceListPermission,
  deviceListScreen,
} from '#schema/device/device-pages'
import { panelEditPermission, panelListPermission, panelListScreen } from '#schema/monitor/panel'
import { packageListPermission, packageScreen } from '#schema/task/package'
import { TEST_PASSWORD, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { escapeDialog, noBrowser, type Opened, passTime, settled } from './open-browser.ts'

/** A console asks for its rights every ten seconds or so. */
const RIGHTS_S = 11
let booted: Booted
let tenants: Tenants
let opened: Opened
let enter: Opening['enter']

describe.skipIf(noBrowser)('people', () => {
  eachConsole((at) => {
    ;({ booted, tenants, opened, enter } = at)
  })

  it('a changed role takes effect within seconds without a new login: the menu entry disappears, and the open page is closed', async () => {
    const { page } = opened
    const { functionIds: held, menuIds: pages } = templateGrants('viewer')
    const admin = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
    const made = await booted.call(
      'role/addRole',
      { name: 'Watchers', functionIds: held, menuIds: pages },
      admin,
    )
    const { roleId } = made.data as { roleId: number }
    await booted.context.sql`update users set role_id = ${roleId} where id = ${tenants.a.viewer.id}`
    await enter(tenants.a.viewer.username)
    await page.goto('/task/softwarepackage')
    await settled(page)
    await page.goto('/device/devicelist')
    await settled(page)
    // In the menu and in the strip of visited pages.
    await expect.poll(() => page.getByRole('link', { name: 'Packages' }).count()).toBe(2)

    const less = {
      functionIds: held.filter((id) => id !== packageListPermission.id && id !== deviceListPermission.id),
      menuIds: pages.filter((id) => id !== packageScreen.menuId && id !== deviceListScreen.menuId),
    }
    expect((await booted.call('role/modifyRole', { roleId, name: 'Watchers', ...less }, admin)).code).toBe(0)
    await passTime(page, RIGHTS_S)
    await page.waitForURL('**/404')
    await page.goto('/dashboard')
    await settled(page)
    await expect.poll(() => page.getByRole('link', { name: 'Packages' }).count()).toBe(0)
  })

  it('a permission withdrawn while a panel is composed disables Save and loses nothing; a page withdrawn leaves no question behind', async () => {
    const { page } = opened
    const { sql } = booted.context
    const { admin, operator, customerId, groups } = tenants.a
    const { functionIds: held, menuIds: pages } = templateGrants('operator')
    const token = await booted.login(admin.username, TEST_PASSWORD)
    const role = { name: 'Composers', functionIds: held, menuIds: pages }
    const { roleId } = (await booted.call('role/addRole', role, token)).data as { roleId: number }
    await sql`update users set role_id = ${roleId} where id = ${operator.id}`
    const [panel] = await sql<{ id: number }[]>`
      with project as (
        insert into projects (customer_id, group_id, name, type)
        values (${customerId}, ${groups.branch}, 'Composed', 'energy') returning id
      )
      insert into panels (project_id, name, widgets) select id, 'Composed', '[]' from project returning id`
    await enter(operator.username)
    await page.goto(`/cloudMonitor/deviceManagement/panels/${panel?.id}?edit=true`)
    await page.getByRole('button', { name: 'Add widget' }).click()
    await page.getByRole('menuitem', { name: 'Map' }).click()
    await page.getByRole('dialog', { name: 'Map' }).getByRole('textbox', { name: 'Title' }).fill('Mine')
    await escapeDialog(page)
    const keep = async (less: typeof role) => {
      expect((await booted.call('role/modifyRole', { roleId, ...less }, token)).code).toBe(0)
      await passTime(page, RIGHTS_S)
    }
    const looking = { ...role, functionIds: held.filter((id) => id !== panelEditPermission.id) }
    await keep(looking)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await expect.poll(() => save.getAttribute('aria-description')).toBe('You do not have permission for this')
    await page.getByRole('button', { name: 'Widget Mine' }).waitFor()
    const asksBeforeClosing = () =>
      page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
    expect(await asksBeforeClosing()).toBe(true)
    await keep({
      ...looking,
      functionIds: looking.functionIds.filter((id) => id !== panelListPermission.id),
      menuIds: pages.filter((id) => id !== panelListScreen.menuId),
    })
    await page.waitForURL('**/404')
    await expect.poll(asksBeforeClosing).toBe(false)
  }, 120_000)

  it('who has gone on while the server was away is not sent away from the new page', async () => {
    const { page } = opened
    const { admin, operator } = tenants.a
    const { functionIds, menuIds } = templateGrants('operator')
    const token = await booted.login(admin.username, TEST_PASSWORD)
    const role = { name: 'Movers', functionIds, menuIds }
    const { roleId } = (await booted.call('role/addRole', role, token)).data as { roleId: number }
    await booted.context.sql`update users set role_id = ${roleId} where id = ${operator.id}`
    await enter(operator.username)
    await page.goto(packageScreen.path)
    await settled(page)
    await page.route('**/getUserDetails', (route) => route.abort())
    const less = { ...role, menuIds: menuIds.filter((id) => id !== packageScreen.menuId) }
    expect((await booted.call('role/modifyRole', { roleId, ...less }, token)).code).toBe(0)
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/getUserDetails'))
    await passTime(page, RIGHTS_S)
    await failed
    await page.getByRole('link', { name: 'Devices', exact: true }).first().click()
    await page.waitForURL('**/devicelist')
    await page.unroute('**/getUserDetails')
    await expect.poll(() => page.getByRole('link', { name: 'Packages' }).count(), { timeout: 30_000 }).toBe(0)
    await settled(page)
    expect(new URL(page.url()).pathname).toBe('/device/devicelist')
  }, 120_000)

  it('a form that is saved while its picture is still sent is saved with it', async () => {
    const { page } = opened
    await enter(tenants.superAdmin.username)
    await page.goto('/system/customermanagement')
    await page
      .getByRole('row')
      .filter({ hasText: tenants.a.name })
      .getByRole('button', { name: 'Edit', exact: true })
      .click()
    const form = page.getByRole('dialog')
    const sent = Promise.withResolvers<void>()
    await page.route('**/api/image/uploadImage*', async (route) => {
      await sent.promise
      await route.continue()
    })
    await form.locator('input[type=file]').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 20, height: 20, channels: 3, background: '#0a6e5a' } })
        .png()
        .toBuffer(),
    })
    await form.getByLabel('Contact').fill('Ms Lin')
    await form.getByRole('button', { name: /^Save/ }).click()
    sent.resolve()
    await form.waitFor({ state: 'hidden' })
    const [stored] = await booted.context.sql`
      select contact, logo is not null as pictured from customers where id = ${tenants.a.customerId}`
    expect(stored).toEqual({ contact: 'Ms Lin', pictured: true })
  }, 120_000)

  it('copyright text from the user details replaces the default, and a logo is shown in the top bar', async () => {
    const { page } = opened
    const admin = await booted.login(tenants.superAdmin.username, TEST_PASSWORD)
    const picture = await sharp({
      create: { width: 200, height: 60, channels: 3, background: { r: 10, g: 110, b: 90 } },
    })
      .png()
      .toBuffer()
    const sent = await fetch(`${booted.url}/api/image/uploadImage?purpose=logo`, {
      method: 'POST',
      headers: { token: admin, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(picture),
    })
    const { data } = (await sent.json()) as { data: { imageId: string } }
    const customer = { customerId: tenants.b.customerId, name: 'Bolt', logo: data.imageId }
    await booted.call('customer/modifyCustomer', { ...customer, copyright: '© Bolt Ltd.' }, admin)
    await enter(tenants.b.admin.username)
    await page.goto('/dashboard')
    await settled(page)
    await expect.poll(() => page.locator('footer').textContent()).toBe('© Bolt Ltd.')
    const logo = page.locator('header img').first()
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(200)

    // A logo without a text hides the default; the open console notices it. So do the rows and the toolbar of a list
    // that is opened with other permissions, though nothing else in them has changed.
    await page.goto('/device/devicelist')
    await settled(page)
    const detail = page.getByRole('row').getByRole('button', { name: 'Details' }).first()
    const exporting = page.getByRole('button', { name: 'Export CSV' })
    const disabled = () =>
      Promise.all([detail, exporting].map((button) => button.getAttribute('aria-disabled')))
    await expect.poll(disabled).toEqual(['false', 'false'])
    const { functionIds: held, menuIds: pages } = templateGrants('viewer')
    const role = await booted.call(
      'role/addRole',
      {
        name: 'Lookers',
        customerId: tenants.b.customerId,
        functionIds: held.filter(
          (id) => id !== deviceDetailPermission.id && id !== deviceExportPermission.id,
        ),
        menuIds: pages,
      },
      admin,
    )
    const { roleId } = role.data as { roleId: number }
    await booted.context.sql`update users set role_id = ${roleId} where id = ${tenants.b.admin.id}`
    await booted.call('customer/modifyCustomer', customer, admin)
    await passTime(page, RIGHTS_S)
    await page.locator('footer').waitFor({ state: 'detached' })
    await expect.poll(disabled).toEqual(['true', 'true'])
  })

  it('a profile that is being edited is not lost without a question', async () => {
    const { page } = opened
    await enter(tenants.a.admin.username)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: tenants.a.admin.username }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    const profile = page.getByRole('dialog', { name: /rofile/ })
    await profile.getByRole('button', { name: 'Edit profile' }).click()
    const nickname = profile.getByRole('textbox', { name: 'Nickname' })
    await nickname.waitFor()
    // In one turn of the page, as on a machine that stands still between the two keys.
    await nickname.evaluate(async (input) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'Half typed')
      input.dispatchEvent(new Event('input', { bubbles: true }))
      for (let i = 0; i < 3; i++) await null
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }))
    })
    const question = page.getByRole('dialog', { name: 'Discard the changes?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    expect(await nickname.inputValue()).toBe('Half typed')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await profile.waitFor({ state: 'hidden' })
  })

  it('two users edit the same contact: the second sees what the first saved, merges both, and no input is lost', async () => {
    const { page } = opened
    const { a, superAdmin } = tenants
    const li = { name: 'Li', phone: '13800138000', email: 'li@example.test' }
    const [first, platform] = await Promise.all(
      [a.admin, superAdmin].map(({ username }) => booted.login(username, TEST_PASSWORD)),
    )
    const { data } = await booted.call('contact/createContact', li, first)
    const other = (change: object, token = first) =>
      booted.call(
        'contact/updateContact',
        { contactId: (data as { id: number }).id, ...li, ...change },
        token,
      )
    await enter(a.admin.username)
    await page.goto('/alarmMsg/contacts')
    await settled(page)
    await page.getByRole('button', { name: 'Edit' }).first().click()
    await page.getByRole('textbox', { name: 'Remark' }).fill('on call')
    await other({ name: 'Li Lei', remark: 'nights' }, platform)
    await page.getByRole('button', { name: /^Save/ }).click()
    const note = page.getByRole('alert').filter({ hasText: 'A platform administrator changed this' })
    await note.waitFor()
    expect(await note.textContent()).not.toContain(superAdmin.username)
    await expect
      .poll(() => note.getByRole('row').allTextContents())
      .toEqual(['FieldTheirsYours', 'NameLi Leinot changed', 'Remarknightson call'])
    await note.getByRole('button', { name: 'Keep mine' }).click()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue())
      .toBe('Li Lei')
    // A third user was even faster.
    await other({ name: 'Han', remark: 'days' })
    await page.getByRole('button', { name: /^Save/ }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: `${a.admin.username} changed this` })
      .waitFor()
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Remark' }).inputValue()).toBe('days')
    await page.getByRole('textbox', { name: 'Remark' }).fill('always')
    await page.getByRole('button', { name: /^Save/ }).click()
    // In the list, not in the drawer, which shows 'always' immediately.
    await page.getByRole('row').filter({ hasText: 'Han' }).filter({ hasText: 'always' }).waitFor()
  })

  it('a template is duplicated, changed in the tree, reviewed and saved', async () => {
    const { page } = opened
    await enter(tenants.a.admin.username)
    await page.goto('/system/authoritymanagement')
    await settled(page)
    const row = page.getByRole('row', { name: /^Viewer/ })
    await expect
      .poll(() => row.getByRole('button', { name: 'Edit' }).getAttribute('aria-disabled'))
      .toBe('true')
    await row.getByRole('button', { name: 'Duplicate the role' }).click()
    await page.getByRole('textbox', { name: 'Role name', exact: true }).fill('Night watch')
    await page.getByRole('textbox', { name: 'Search pages and functions' }).fill('reboot devices')
    await page.getByRole('checkbox', { name: 'Reboot devices' }).click()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('Added: Reboot devices').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('row', { name: /^Night watch/ }).waitFor()
    const [role] = await booted.context.sql<{ functionIds: number[] }[]>`
      select function_ids as "functionIds" from roles where name = 'Night watch' and customer_id = ${tenants.a.customerId}`
    expect([...(role?.functionIds ?? [])].sort()).toEqual(
      [...templateGrants('viewer').functionIds, deviceRebootPermission.id].sort(),
    )
  })

  it('a customer beyond the first five hundred can be chosen: the first one and the last one of them all', async () => {
    const { page } = opened
    const { sql } = booted.context
    await sql`insert into customers (name) select 'Branch ' || n from generate_series(1001, 1520) n`
    try {
      await enter(tenants.superAdmin.username)
      await page.goto('/system/authoritymanagement')
      await settled(page)
      const filter = page.getByRole('combobox', { name: 'Customer', exact: true })
      for (const name of ['Branch 1001', 'Branch 1520']) {
        await filter.fill(name)
        await page.getByRole('option', { name, exact: true }).click()
        await expect.poll(() => filter.inputValue()).toBe(name)
        // The address follows a moment later, and the field shows what it says: what is typed before then would be replaced.
        await settled(page)
      }
    } finally {
      await sql`delete from customers where name like 'Branch %'`
    }
  })
})
