/** More rows than a drawer or a wizard shows at first: each can still be reached. */
import { describe, expect, it } from 'vitest'
import { addPackage, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, settled } from './open-browser.ts'

const MANY = 60

let tenants: Tenants
let booted: Booted
let opening: Opening

describe.skipIf(noBrowser)('more than is shown at first', () => {
  eachConsole((at) => {
    opening = at
    ;({ tenants, booted } = at)
  })

  it('the oldest of many packages is found by the wizard, and chosen when the address names it', async () => {
    const { customerId, admin } = tenants.a
    const oldest = await addPackage(booted.context, { customerId, model: 'R200', version: '0.1' })
    for (let i = 0; i < MANY; i += 1)
      await addPackage(booted.context, { customerId, model: 'R200', version: `2.${i}` })
    await booted.context
      .sql`update packages set uploaded_at = now() - interval '1 year' where id = ${oldest.id}`
    const { page } = opening
    await opening.enter(admin.username)
    await page.goto('/task/upgrade?new=1')
    const wizard = page.getByRole('dialog', { name: 'New upgrade' })
    await wizard.getByText(`The newest 50 of ${MANY + 1}: find others by name`).waitFor()
    const radio = wizard.getByRole('radio', { name: /0\.1/ })
    expect(await radio.count()).toBe(0)
    await picture(page, 'wizard', 'many-packages')
    await wizard.getByRole('searchbox').fill('no such package')
    await wizard.getByText('No matches').waitFor()
    await wizard.getByRole('searchbox').fill('0.1')
    await radio.check()
    await page.goto('/dashboard')
    await settled(page)
    await page.goto(`/task/upgrade?new=1&spId=${oldest.id}`)
    await wizard.getByText('All matching').waitFor()
    await wizard.getByRole('button', { name: 'Back' }).click()
    await wizard.getByRole('searchbox').fill('0.1')
    await expect.poll(() => radio.isChecked()).toBe(true)
  })

  it('a drawer shows the rest of its entries on request', async () => {
    const { customerId, groups, admin } = tenants.a
    await booted.context.sql`
      insert into enrolment_keys (customer_id, group_id, label, hash, max_count, expires_at)
      select ${customerId}, ${groups.root}, 'key no. ' || n, 'hash ' || n, 1, now() + interval '1 day'
      from generate_series(1, ${MANY}::int) n`
    const { page } = opening
    await opening.enter(admin.username)
    await page.goto('/device/devicelist')
    await page.getByRole('button', { name: 'Enrolment keys' }).click()
    const drawer = page.getByRole('dialog', { name: 'Enrolment keys' })
    const keys = drawer.getByText(/^key no\. \d+$/)
    await expect.poll(() => keys.count()).toBe(50)
    await drawer.getByRole('button', { name: 'Show more (10 left)' }).click()
    await expect.poll(() => keys.count()).toBe(MANY)
    await expect.poll(() => drawer.getByRole('button', { name: /Show more/ }).count()).toBe(0)
  })
})
