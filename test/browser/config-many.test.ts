/** Many devices in the console: chosen settings become a task, a running configuration becomes a template. */
import { describe, expect, it } from 'vitest'
import type { TestDevice } from '#test/tenants'
import { simulated, TEST_PASSWORD } from '#test/tenants'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, settled } from './open-browser.ts'

describe.skipIf(noBrowser)('the configuration of many devices', () => {
  let opening: Opening
  let devices: TestDevice[]

  eachConsole(
    async (next) => {
      opening = next
      devices = next.tenants.a.devices.slice(0, 2)
      await next.enter(next.tenants.a.admin.username)
    },
    ({ a }) => simulated(a.devices.slice(0, 2)),
  )

  it('chosen settings of two devices are counted and become a task', async () => {
    const { page } = opening
    await page.goto('/resource/configurationlist')
    for (const { sn } of devices) {
      const row = page.getByRole('row').filter({ hasText: sn })
      await row.getByText('In sync').waitFor()
      await row.getByRole('checkbox').check()
    }
    await page.getByRole('button', { name: 'Configure' }).click()
    const drawer = page.getByRole('dialog', { name: 'Configure 2 devices' })
    await drawer.getByRole('checkbox', { name: 'Metric' }).check()
    await drawer.getByRole('textbox', { name: 'Metric' }).fill('44')
    await settled(page)
    await picture(page, 'config-many', 'values')
    await drawer.getByRole('button', { name: 'Next' }).click()
    // Both are connected by their radio, not by their wired WAN.
    await drawer.getByText('Changes 2 devices', { exact: true }).waitFor()
    await settled(page)
    await picture(page, 'config-many', 'counted')
    // Emptied to type another number, the only limit stays.
    const limit = drawer.getByRole('textbox', { name: 'Failed, percent' })
    await limit.fill('')
    await limit.fill('20')
    // The answer to the first press is lost, although the task was created. A look back does not make a second one of it.
    await page.route('**/api/config/applyMany', (route) => route.fetch().then(() => route.abort()), {
      times: 1,
    })
    await drawer.getByRole('button', { name: 'Apply to 2 devices' }).click()
    await drawer.getByRole('alert').last().waitFor()
    const { sql } = opening.booted.context
    const tasks = () =>
      sql<{ status: string }[]>`select status from tasks where created_at > now() - interval '1 hour'`
    await expect
      .poll(async () => (await tasks()).map(({ status }) => status), { timeout: 60_000 })
      .toEqual(['completed'])
    await drawer.getByRole('button', { name: 'Back' }).click()
    await drawer.getByRole('button', { name: 'Next' }).click()
    await drawer.getByRole('button', { name: 'Apply to 2 devices' }).click()
    await page.waitForURL(/task\/upgrade\/\d+/)
    expect(await tasks()).toHaveLength(1)
    // A change that cuts devices off is stopped like a package that breaks them.
    await page.getByText('20% failed', { exact: true }).waitFor()
    await page
      .locator('tbody')
      .getByText('Applied', { exact: true })
      .filter({ visible: true })
      .nth(1)
      .waitFor()
    await picture(page, 'config-many', 'task')
  }, 120_000)

  it('a running configuration becomes a template, whose impact is counted before it is saved', async () => {
    const { page } = opening
    await page.goto(`/resource/configtemplate?template=new&from=${devices[0]?.id}`)
    const drawer = page.getByRole('dialog', { name: 'Add template' })
    await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop')
    await settled(page)
    await picture(page, 'config-many', 'template')
    await drawer.getByRole('tab', { name: 'Applies to' }).click()
    await drawer.getByRole('checkbox', { name: 'All devices of the customer' }).check()
    await drawer.getByRole('button', { name: 'What would it change?' }).click()
    await drawer.getByText(/^Changes \d+ device/).waitFor()
    await settled(page)
    await picture(page, 'config-many', 'template-where')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('row').filter({ hasText: 'Shop' }).waitFor()
    await settled(page)
    await picture(page, 'config-many', 'templates')
    await page.goto('/resource/configvariable')
    await settled(page)
    await picture(page, 'config-many', 'variables')
  }, 120_000)

  it('two devices are compared, and a page of one is copied to the other, in waves', async () => {
    const { page } = opening
    const [one, other] = devices
    await page.goto('/resource/configurationlist')
    const row = page.getByRole('row').filter({ hasText: one?.sn ?? '' })
    await row.getByText('In sync').waitFor()
    await row.getByRole('button', { name: 'Compare' }).click()
    const compare = page.getByRole('dialog', { name: /^Compare/ })
    const partner = compare.getByRole('combobox', { name: 'Compare with' })
    await partner.fill(other?.sn ?? '')
    await page.getByRole('option', { name: new RegExp(other?.sn ?? '') }).click()
    await compare.getByRole('columnheader', { name: 'The other device' }).waitFor()
    await compare.getByText('No. 1', { exact: true }).first().waitFor()
    await settled(page)
    await picture(page, 'config-many', 'compare')
    await page.keyboard.press('Escape')
    await compare.waitFor({ state: 'hidden' })

    await row.getByRole('button', { name: 'Copy to…' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Never seen').first().waitFor()
    expect(await drawer.getByRole('checkbox', { name: new RegExp(one?.sn ?? '') }).count()).toBe(0)
    await drawer.getByRole('checkbox', { name: new RegExp(other?.sn ?? '') }).check()
    await drawer.getByRole('button', { name: 'Next' }).click()
    await drawer.getByRole('button', { name: 'Wireless' }).click()
    await picture(page, 'config-many', 'copy')
    await drawer.getByRole('button', { name: 'Next' }).click()
    await drawer.getByRole('button', { name: 'Next' }).click()
    await drawer.getByText(/1 device already runs it|Changes 1 device/).waitFor()
    await drawer.getByRole('switch', { name: /^In waves/ }).check({ force: true })
    await picture(page, 'config-many', 'waves')
  }, 120_000)

  it('a template that is saved again still leaves out a field, until a user sets it', async () => {
    const { page, booted, tenants } = opening
    const token = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
    const networks = [{ radio: 'radio0', ssid: 'Shop', security: 'none', id: '+0' }]
    const given = { name: 'Before isolation', pages: { wireless: { networks } } }
    const made = await booted.call('configTemplate/addConfigTemplate', given, token)
    const { id } = made.data as { id: number }
    const said = async () => {
      const found = await booted.call('configTemplate/getConfigTemplate', { id }, token)
      return (found.data as { pages: object }).pages
    }
    const edit = async () => {
      await page.goto(`/resource/configtemplate?template=${id}`)
      const drawer = page.getByRole('dialog', { name: 'Edit template' })
      await drawer.getByRole('textbox', { name: 'SSID' }).waitFor()
      return {
        drawer,
        async save() {
          await drawer.getByRole('button', { name: 'Save' }).click()
          await drawer.waitFor({ state: 'hidden' })
        },
      }
    }
    const first = await edit()
    await first.drawer.getByText('Left out here').first().waitFor()
    await settled(page)
    await picture(page, 'config-many', 'template-left-out')
    await first.save()
    expect(await said()).toEqual({ wireless: { networks } })
    const second = await edit()
    await second.drawer.getByRole('checkbox', { name: /^Isolate/ }).click()
    await second.save()
    expect(await said()).toEqual({ wireless: { networks: [{ ...networks[0], isolate: false }] } })
  })

  it('two users edit one template: the second sees what the first has saved, merges both, and no input is lost', async () => {
    const { page, booted, tenants } = opening
    const token = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
    const networks = [{ radio: 'radio0', ssid: 'Shop', security: 'none', id: '+0' }]
    const named = (ssid: string) => ({ wireless: { networks: [{ ...networks[0], ssid }] } })
    const given = { name: 'Shops', pages: named('Shop') }
    const made = await booted.call('configTemplate/addConfigTemplate', given, token)
    const { id } = made.data as { id: number }
    const theirs = (change: object) =>
      booted.call('configTemplate/modifyConfigTemplate', { id, ...given, ...change }, token)
    await page.goto(`/resource/configtemplate?template=${id}`)
    const drawer = page.getByRole('dialog', { name: 'Edit template' })
    const ssid = drawer.getByRole('textbox', { name: 'SSID' })
    await ssid.fill('Mine')
    await theirs({ remark: 'by night', pages: named('Theirs') })
    await drawer.getByRole('button', { name: 'Save' }).click()
    const note = drawer.getByRole('alert').filter({ hasText: `${tenants.a.admin.username} changed this` })
    await note.waitFor()
    await settled(page)
    await picture(page, 'config-many', 'template-conflict')
    await expect
      .poll(() => note.getByRole('row').allTextContents())
      .toEqual(['FieldTheirsYours', 'Remarkby nightnot changed', expect.stringMatching(/Theirs.*Mine/)])
    await note.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(() => drawer.getByRole('textbox', { name: 'Remark' }).inputValue()).toBe('by night')
    expect(await ssid.inputValue()).toBe('Mine')
    // A third user was even faster.
    await theirs({ remark: 'at noon', pages: named('Third') })
    await drawer.getByRole('button', { name: 'Save' }).click()
    await note.getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => ssid.inputValue()).toBe('Third')
    await ssid.fill('Last')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.waitFor({ state: 'hidden' })
    const found = await booted.call('configTemplate/getConfigTemplate', { id }, token)
    expect(found.data).toMatchObject({ remark: 'at noon', pages: named('Last') })
  })

  it("a template takes the settings of a router's export", async () => {
    const { page } = opening
    await page.goto('/resource/configtemplate?template=new')
    const drawer = page.getByRole('dialog', { name: 'Add template' })
    await drawer.getByRole('button', { name: 'Import UCI' }).click()
    const dialog = page.getByRole('dialog', { name: "Import a router's configuration" })
    await dialog
      .getByLabel('UCI text')
      .fill("package network\n\nconfig interface 'wan'\n\toption proto 'dhcp'\n\toption metric '57'\n")
    await picture(page, 'config-many', 'template-import')
    await dialog.getByRole('button', { name: 'Take over' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => drawer.getByRole('textbox', { name: 'Metric' }).inputValue()).toBe('57')
    await settled(page)
    await picture(page, 'config-many', 'template-imported')
  })
})
