/** Every command with a button on the device page is confirmed and sent as declared. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Route } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { isCommand } from '#schema/kit/command'
import { formOf } from '#schema/kit/form'
import type { Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, type Opened, settled } from './open-browser.ts'

const drawn = (await gatherDeclared(isCommand)).filter(({ place }) => place && place !== 'part')
const file = new URL('../../locales/en-US/command.json', import.meta.url)
const texts = JSON.parse(readFileSync(file, 'utf8')) as {
  name: Record<string, string>
  arg: Record<string, Record<string, string>>
}
const nameOf = (name: string) => texts.name[name] ?? name
let booted: Booted
let tenants: Tenants
let opened: Opened
let enter: Opening['enter']

/** Pretends that the device is online: only the confirmation matters here. */
async function asOnline(route: Route) {
  // "Not modified" would have no body.
  const { 'if-none-match': _, ...headers } = route.request().headers()
  const answer = await route.fetch({ headers }).catch(() => null)
  const body = (await answer?.json().catch(() => null)) as { data: object } | null | undefined
  // The test is over, and its page was closed.
  if (!answer || !body) return
  await route.fulfill({
    response: answer,
    json: { ...body, data: { ...body.data, online: true, features: null } },
  })
}

describe.skipIf(noBrowser)('the buttons of commands', () => {
  eachConsole((at) => {
    ;({ booted, tenants, opened, enter } = at)
  })

  it.each(drawn)('$name asks: $confirm', async ({ name, confirm, place, args, exampleArgs }) => {
    const { page } = opened
    const [device] = tenants.a.devices
    if (!device) throw new Error('tenants have devices')
    const sent: unknown[] = []
    await page.route('**/api/device/getDeviceDetail', asOnline)
    await page.route('**/api/command/sendCommand', async (route) => {
      sent.push(route.request().postDataJSON())
      await route.fulfill({ json: { code: 0, message: '', data: { commandId: randomUUID() } } })
    })
    await enter(tenants.a.admin.username)
    const tab = place === 'header' || place === 'menu' ? '' : `?tab=${place}`
    await page.goto(`/device/particulars/0/${device.id}${tab}`)
    await settled(page)
    if (place === 'menu') await page.getByRole('button', { name: 'More' }).click()
    await page
      .getByRole(place === 'menu' ? 'menuitem' : 'button', { name: nameOf(name), exact: true })
      .click()
    const question = page.getByRole('dialog', { name: new RegExp(`^${nameOf(name)}: `) })
    if (confirm !== 'none' || formOf(args).length > 0) {
      await question.waitFor()
      expect(sent).toEqual([])
      const verb = question.getByRole('button', { name: nameOf(name), exact: true })
      expect(await verb.isDisabled()).toBe(confirm === 'typed')
      if (confirm === 'typed') await question.getByRole('textbox').last().fill(device.sn)
      for (const field of formOf(args).filter(({ required }) => required))
        await question
          .getByLabel(texts.arg[name]?.[field.name] ?? field.name)
          .fill(String((exampleArgs as Record<string, unknown>)[field.name]))
      await verb.click()
    }
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ deviceId: device.id, name })
    expect(args.safeParse((sent[0] as { args: unknown }).args).success).toBe(true)
  })

  it.each([1440, 390])('says at %i px that a command was sent, where nothing covers it', async (width) => {
    const { page } = opened
    const [device] = tenants.a.devices
    if (!device) throw new Error('tenants have devices')
    await page.setViewportSize({ width, height: 900 })
    await page.route('**/api/device/getDeviceDetail', asOnline)
    await page.route('**/api/command/sendCommand', (route) =>
      route.fulfill({ json: { code: 0, message: '', data: { commandId: randomUUID() } } }),
    )
    await enter(tenants.a.admin.username)
    await page.goto(`/device/particulars/0/${device.id}`)
    await settled(page)
    await page
      .getByRole('button', { name: nameOf('reboot'), exact: true })
      .first()
      .click()
    const question = page.getByRole('dialog')
    await question.getByRole('button', { name: nameOf('reboot'), exact: true }).click()
    const toast = page.getByRole('alert').filter({ hasText: nameOf('reboot') })
    await toast.waitFor()
    const onTop = () =>
      toast.evaluate((element) => {
        const { left, top, width: wide, height } = element.getBoundingClientRect()
        const points = [0.1, 0.5, 0.9].map((share) =>
          document.elementFromPoint(left + wide * share, top + height / 2),
        )
        return points.every((found) => found !== null && element.contains(found))
      })
    await expect.poll(onTop).toBe(true)
    const box = await toast.boundingBox()
    expect(box && box.y >= 0 && box.y + box.height <= 900).toBe(true)
    // And it covers no part of the page.
    const main = await page.locator('main').boundingBox()
    expect((main?.y ?? 0) + (main?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + 1)
  })

  it('a command is followed to its end, also behind many that others have sent since', async () => {
    const { page } = opened
    const [device] = tenants.a.devices
    const ids = Array.from({ length: 15 }, () => randomUUID())
    await page.route('**/api/device/getDeviceDetail', asOnline)
    await page.route('**/api/command/sendCommand', async (route) => {
      await booted.context.sql`
        insert into commands (id, device_id, customer_id, name, args, state, created_at, deadline_at, ended_at, result)
        select id, ${device?.id ?? 0}::int, ${device?.customerId ?? 0}::int, 'ping', '{}', 'done', now() + make_interval(secs => n), now(), now(),
          '{"sent": 4, "received": 4, "avgMs": 12}'
        from unnest(${ids}::uuid[]) with ordinality as made (id, n)`
      await route.fulfill({ json: { code: 0, message: '', data: { commandId: ids[0] } } })
    })
    await enter(tenants.a.admin.username)
    await page.goto(`/device/particulars/0/${device?.id}?tab=services`)
    await page.getByRole('textbox', { name: 'Host name or address' }).fill('example.com')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('4 of 4 responses').waitFor()
  })

  it('a diagnosis asks for the arguments that its command declares, and sends nothing that they refuse', async () => {
    const { page } = opened
    const sent: unknown[] = []
    await page.route('**/api/device/getDeviceDetail', asOnline)
    await page.route('**/api/command/sendCommand', async (route) => {
      sent.push(route.request().postDataJSON())
      await route.fulfill({ json: { code: 0, message: '', data: { commandId: randomUUID() } } })
    })
    await enter(tenants.a.admin.username)
    await page.goto(`/device/particulars/0/${tenants.a.devices[0]?.id}?tab=services`)
    await settled(page)
    const target = page.getByRole('textbox', { name: 'Host name or address' })
    const start = page.getByRole('button', { name: 'Start', exact: true })
    await start.click()
    await target.fill('-rf /')
    await start.click()
    const refusal = page.getByText(/Host name or address.*must be a host name/)
    await refusal.waitFor()
    expect(sent).toEqual([])
    // On a phone it has two lines, and covers no other field.
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    const [said, next] = await Promise.all([
      refusal.boundingBox(),
      page.locator('label', { hasText: 'Requests' }).boundingBox(),
    ])
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(next?.y ?? 0)
    if (size) await page.setViewportSize(size)
    await target.fill('example.com')
    await page.getByText(nameOf('traceroute'), { exact: true }).click()
    expect(await target.inputValue()).toBe('example.com')
    await page.getByRole('textbox', { name: 'Maximum hops' }).fill('5')
    await start.click()
    await expect
      .poll(() => sent)
      .toMatchObject([{ name: 'traceroute', args: { target: 'example.com', maxHops: 5 } }])
  })

  it('a log is followed live for as long as the device does, also if its page was hidden meanwhile', async () => {
    const { page } = opened
    const [device] = tenants.a.devices
    await page.route('**/api/device/getDeviceDetail', asOnline)
    await page.route('**/api/command/sendCommand', (route) =>
      route.fulfill({ json: { code: 0, message: '', data: { commandId: randomUUID() } } }),
    )
    await page.addInitScript(() => {
      const { setTimeout } = window
      const waits: number[] = []
      const wait = (run: () => void, ms = 0, ...given: unknown[]) => {
        waits.push(ms)
        return setTimeout(run, ms, ...given)
      }
      Object.assign(window, { setTimeout: wait, waits })
    })
    await enter(tenants.a.admin.username)
    await page.goto(`/device/particulars/0/${device?.id}?tab=logs`)
    await page.getByRole('button', { name: 'Follow live' }).click()
    const stop = page.getByRole('button', { name: 'Stop following' })
    await stop.waitFor()
    await page.getByRole('link', { name: 'Devices', exact: true }).first().click()
    await stop.waitFor({ state: 'hidden' })
    // Of the ten minutes seven have passed.
    await page.evaluate(() => {
      const { now } = Date
      Date.now = () => now() + 420_000
      ;(window as unknown as { waits: number[] }).waits.length = 0
    })
    await page.goBack()
    await stop.waitFor()
    const waits = () => page.evaluate(() => (window as unknown as { waits: number[] }).waits)
    await expect.poll(async () => (await waits()).some((ms) => ms > 120_000 && ms <= 180_000)).toBe(true)
  }, 180_000)
})
