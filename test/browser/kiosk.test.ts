/** Screens of projects: big ones that are opened by a link without a login, and panels that users compose. */
import type { Locator, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { IMAGE_PATH } from '#schema/people/image'
import { furnishTerminal } from '../furnish/terminal.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { makeKioskLink } from './kiosk-link.ts'
import { allowStreams, noBrowser, passTime, picture, SIZES } from './open-browser.ts'

/** Which of the theme's colours the map has. */
const coloursOf = (page: Page, names: readonly string[]) =>
  page.locator('canvas').evaluate((element: HTMLCanvasElement, names) => {
    const style = getComputedStyle(element)
    const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? {
      data: [],
    }
    const found = new Set<string>()
    for (let i = 0; i < data.length; i += 4)
      found.add(`#${[0, 1, 2].map((at) => (data[i + at] ?? 0).toString(16).padStart(2, '0')).join('')}`)
    return Object.fromEntries(names.map((name) => [name, found.has(style.getPropertyValue(name).trim())]))
  }, names)

describe.skipIf(noBrowser)('screens of projects', () => {
  let opening: Opening
  let furnished: Opening['booted'] | undefined

  eachConsole(async (next) => {
    opening = next
    if (furnished !== next.booted) await furnishTerminal.run(next.booted.context, next.tenants.a)
    furnished = next.booted
    await next.enter(next.tenants.a.admin.username)
  })

  it('a link shows the big screen of its project without a login, at any size, until it is revoked', async () => {
    const { page, tenants, opened, booted } = opening
    const { address } = await makeKioskLink(page, `${tenants.a.name} project`)
    expect(address).toContain('/kiosk?language=en-US#kiosk_')
    await picture(page, 'big-screen', 'link')
    // A wall display: nobody has chosen a language in its browser.
    const display = await opening.browser.newContext()
    const fresh = await display.newPage()
    await fresh.goto(address)
    await expect.poll(() => fresh.locator('html').getAttribute('lang')).toBe('en-US')
    await fresh.getByText('Active alarms', { exact: true }).first().waitFor()
    await display.close()
    // Far from any coast: land and names must say where it is.
    await booted.context.sql`
      update devices set longitude = 104.1, latitude = 30.6 where id in (select device_id from terminals)`
    const wall = await opened.context.newPage()
    await wall.setViewportSize({ width: 1920, height: 1080 })
    await wall.goto(address)
    await wall.getByRole('heading', { name: `${tenants.a.name} project` }).waitFor()
    await wall.getByText(`${tenants.a.name} voltage · ${tenants.a.name} meter`).waitFor()
    for (const [width, height] of [
      [1920, 1080],
      [1440, 900],
      [390, 844],
    ] as const) {
      await wall.setViewportSize({ width, height })
      const colours = () => coloursOf(wall, ['--map-land', '--map-city', '--ok', '--alarm'])
      await expect.poll(colours).toMatchObject({ '--map-land': true, '--map-city': true })
      const { '--ok': online, '--alarm': offline } = await colours()
      expect(online || offline).toBe(true)
      await picture(wall, 'big-screen', `kiosk-${width}`)
      if (width > 900) {
        // It fills the window, whatever its proportions, but for the pixels by which it shifts.
        const panels = await wall.locator('section').evaluateAll((all) => {
          const boxes = all.map((one) => one.getBoundingClientRect())
          return {
            left: Math.min(...boxes.map((box) => box.left)),
            right: innerWidth - Math.max(...boxes.map((box) => box.right)),
            below: innerHeight - Math.max(...boxes.map((box) => box.bottom)),
          }
        })
        for (const gap of Object.values(panels)) {
          expect(gap).toBeGreaterThanOrEqual(0)
          expect(gap).toBeLessThan(30)
        }
      }
      await expect.poll(() => wall.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      // Whole, not cut by its panel.
      const value = wall.getByText(`${tenants.a.name} voltage · ${tenants.a.name} meter`)
      await value.scrollIntoViewIfNeeded()
      expect(
        await value.evaluate((one) => one.closest('section')?.getBoundingClientRect().bottom),
      ).toBeGreaterThan(await value.evaluate((one) => one.parentElement?.getBoundingClientRect().bottom ?? 0))
    }
    await booted.context.sql`update kiosk_links set revoked_at = now()`
    await wall.reload()
    await wall.getByText('This link has ended.').waitFor()
    // The session of the same browser is not the link's.
    await page.reload()
    await page.getByText('Revoked', { exact: true }).first().waitFor()
    await picture(page, 'big-screen', 'links')
  }, 120_000)

  it('a panel is composed by keyboard and by dragging, kept as it was, and shows values as they come', async () => {
    const { page, tenants, opened, booted } = opening
    const { name } = tenants.a
    await allowStreams(opened.context, booted.url)
    await page.goto('/cloudMonitor/deviceManagement/panels')
    await page.getByRole('button', { name: 'Add panel' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add panel' })
    await form.getByRole('combobox', { name: 'Project' }).click()
    await page.getByRole('option', { name: `${name} project` }).click()
    await form.getByRole('textbox', { name: 'Name' }).fill('Meter room')
    await form.getByRole('button', { name: 'Add panel' }).click()
    const add = async (kind: string) => {
      await page.getByRole('button', { name: 'Add widget' }).click()
      await page.getByRole('menuitem', { name: kind }).click()
      const settings = page.getByRole('dialog', { name: kind })
      await settings.getByRole('combobox', { name: 'Variables' }).click()
      await page.getByRole('option', { name: `${name} meter / ${name} voltage` }).click()
      await settings.getByRole('textbox', { name: 'Title' }).fill(`My ${kind}`)
      await page.keyboard.press('Escape')
      await settings.waitFor({ state: 'hidden' })
    }
    const grip = (title: string) => page.getByRole('button', { name: `Widget ${title}` })
    const boxOf = async (title: string) =>
      (await grip(title).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await add('Figure')
    const first = await boxOf('My Figure')
    await grip('My Figure').focus()
    for (const keys of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight'])
      await page.keyboard.press(keys)
    const moved = await boxOf('My Figure')
    expect(moved.x).toBeGreaterThan(first.x + 60)
    expect(Math.round(moved.y - first.y)).toBe(48)
    expect(moved.width).toBeGreaterThan(first.width + 30)
    await add('Gauge')
    // Onto the figure, which makes room.
    const [from, onto] = [await boxOf('My Gauge'), await boxOf('My Figure')]
    await page.mouse.move(from.x + 40, from.y + 40)
    await page.mouse.down()
    await page.mouse.move(onto.x + 60, onto.y + 60, { steps: 6 })
    await page.mouse.up()
    expect((await boxOf('My Figure')).y).toBeGreaterThan(onto.y + 100)
    const dropped = await boxOf('My Gauge')
    await page.keyboard.press('Control+z')
    expect((await boxOf('My Figure')).y).toBe(onto.y)
    await page.keyboard.press('Control+y')
    expect(await boxOf('My Gauge')).toEqual(dropped)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    await page.reload()
    const widget = (title: string) => page.getByRole('region', { name: title })
    await widget('My Figure').getByText('231 V').waitFor()
    const shown = [await widget('My Gauge').boundingBox(), await widget('My Figure').boundingBox()]
    expect(shown[1]?.y).toBeGreaterThan(shown[0]?.y ?? 0)
    await page.getByText('Live', { exact: true }).waitFor()
    await booted.context.sql`
      update terminal_latest set vals = array[305::float8], at = array[(extract(epoch from now()) * 1000)::bigint]`
    await widget('My Figure').getByText('305 V').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const [gauge, figure] = [await widget('My Gauge').boundingBox(), await widget('My Figure').boundingBox()]
    expect([gauge?.x, gauge?.width]).toEqual([figure?.x, figure?.width])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/cloudMonitor/deviceManagement/kioskLinks')
    await page.getByRole('button', { name: 'Add link' }).first().click()
    const link = page.getByRole('dialog', { name: 'Add link' })
    for (const [field, option] of [
      ['Project', `${name} project`],
      ['Shows', 'Meter room'],
    ] as const) {
      await link.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await link.getByRole('textbox', { name: 'Name' }).fill('Meter room wall')
    await link.getByRole('button', { name: 'Add link' }).click()
    const address = await page
      .getByText(/#kiosk_/)
      .last()
      .innerText()
    // Far from any coast: land and names must say where it is.
    await booted.context.sql`
      update devices set longitude = 104.1, latitude = 30.6 where id in (select device_id from terminals)`
    const wall = await opened.context.newPage()
    await wall.setViewportSize({ width: 1920, height: 1080 })
    await wall.goto(address)
    await wall.getByRole('heading', { name: 'Meter room', level: 1 }).waitFor()
    await wall.getByText('305 V').first().waitFor()
    await picture(wall, 'panel', 'link')
    await expect.poll(() => wall.evaluate(() => document.documentElement.scrollHeight)).toBe(1080)
  }, 120_000)

  it('a trend on a panel shows that it loads, at the size of the chart that comes, on a phone too', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    const { terminalId, variableId, slot, projectId } =
      (
        await sql<{ terminalId: number; variableId: number; slot: number; projectId: number }[]>`
          select t.id as "terminalId", v.id as "variableId", v.slot, (select min(id) from projects where customer_id = ${tenants.a.customerId}) as "projectId"
          from terminals t join variables v on v.template_id = t.template_id join devices d on d.id = t.device_id
          where d.customer_id = ${tenants.a.customerId} order by v.id limit 1`
      )[0] ?? expect.fail('no variable')
    await sql`insert into variable_reports (terminal_id, at, plan, slots, vals)
      select ${terminalId}, date_trunc('minute', now()) - make_interval(mins => n), 1, array[${slot}]::smallint[], array[230 + n]::float8[]
      from generate_series(1, 90) n on conflict do nothing`
    await sql`update terminals set template_since = now() - interval '1 day', created_at = now() - interval '1 day' where id = ${terminalId}`
    const trend = { key: 't', kind: 'trend', x: 0, y: 0, w: 12, h: 6, title: 'Course', hours: 6 }
    const widgets = [{ ...trend, variables: [{ terminalId, variableId }] }]
    const [panel] = await sql<{ id: number }[]>`
      insert into panels (project_id, name, widgets) values (${projectId}, 'Courses', ${sql.json(widgets)}) returning id`
    const widget = page.getByRole('region', { name: 'Course' })
    const loading = widget.locator('[aria-busy]')
    const chart = widget.getByRole('img', { name: 'Course' })
    const heightOf = async (part: Locator) => (await part.boundingBox())?.height ?? 0
    for (const size of [SIZES.narrow, SIZES.wide]) {
      await page.setViewportSize(size)
      const open = Promise.withResolvers<void>()
      await page.route('**/api/variableHistory/getVariableHistory', async (route) => {
        await open.promise
        await route.continue()
      })
      await page.goto(`/cloudMonitor/deviceManagement/panels/${panel?.id ?? 0}`)
      // Not at once: while the page itself is loaded its parts are replaced.
      await expect.poll(() => heightOf(loading)).toBeGreaterThan(0)
      const [whileLoading, height] = [await widget.boundingBox(), await heightOf(loading)]
      await picture(page, 'panel', `loading ${size.width}`)
      open.resolve()
      await chart.locator('canvas').first().waitFor()
      await expect.poll(() => widget.boundingBox()).toEqual(whileLoading)
      await expect.poll(async () => Math.abs((await heightOf(chart)) - height)).toBeLessThan(2)
      await page.unroute('**/api/variableHistory/getVariableHistory')
    }
  }, 120_000)
  it('a picture that does not come at first comes later', async () => {
    const { page, tenants, opened, booted } = opening
    const { sql } = booted.context
    const imageId = '00000000-0000-4000-8000-000000000001'
    const widget = {
      key: 'p',
      kind: 'picture',
      x: 0,
      y: 0,
      w: 8,
      h: 6,
      title: 'Site',
      variables: [],
      imageId,
    }
    const project = `${tenants.a.name} project`
    await sql`
      insert into panels (project_id, name, widgets)
      select id, 'Site plan', ${sql.json([widget])} from projects where name = ${project}`
    await page.goto('/cloudMonitor/deviceManagement/kioskLinks')
    await page.getByRole('button', { name: 'Add link' }).first().click()
    const link = page.getByRole('dialog', { name: 'Add link' })
    for (const [field, option] of [
      ['Project', project],
      ['Shows', 'Site plan'],
    ] as const) {
      await link.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await link.getByRole('textbox', { name: 'Name' }).fill('Gate')
    await link.getByRole('button', { name: 'Add link' }).click()
    const address = await page
      .getByText(/#kiosk_/)
      .last()
      .innerText()
    const wall = await opened.context.newPage()
    await wall.addInitScript((path) => {
      const { fetch } = window
      // One pixel.
      const gif = Uint8Array.from(atob('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=='), (one) =>
        one.charCodeAt(0),
      )
      let asked = 0
      window.fetch = async (input, init) => {
        if (!String(input).includes(path)) return fetch(input, init)
        asked += 1
        if (asked === 1) throw new TypeError('network')
        return new Response(gif, { headers: { 'content-type': 'image/gif' } })
      }
    }, IMAGE_PATH)
    await wall.goto(address)
    await wall.getByRole('heading', { name: 'Site plan', level: 1 }).waitFor()
    const shown = () => wall.locator('img[src^="blob:"]').count()
    await expect
      .poll(async () => {
        await passTime(wall, 10)
        return shown()
      })
      .toBe(1)
    await wall.close()
  }, 120_000)

  it('on paper, a table on a panel is whole, and what is beside it keeps its size', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    // Rows of variables that have gone are rows, too.
    const variables = Array.from({ length: 20 }, (_, n) => ({ terminalId: 1, variableId: 1_000_000 + n }))
    const widgets = [
      { key: 'a', kind: 'table', x: 0, y: 0, w: 8, h: 4, title: 'Long', variables },
      { key: 'b', kind: 'figure', x: 8, y: 0, w: 4, h: 4, title: 'Beside', variables: variables.slice(0, 1) },
    ]
    const [panel] = await sql<{ id: number }[]>`
      insert into panels (project_id, name, widgets)
      values ((select min(id) from projects where customer_id = ${tenants.a.customerId}), 'Printed', ${sql.json(widgets)}) returning id`
    await page.setViewportSize(SIZES.wide)
    await page.goto(`/cloudMonitor/deviceManagement/panels/${panel?.id ?? 0}`)
    const rows = page.getByRole('region', { name: 'Long' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(variables.length)
    const hidden = () =>
      rows.last().evaluate((row) => {
        const below = (one: Element | null | undefined) => one?.getBoundingClientRect().bottom ?? 0
        return Math.max(0, Math.round(below(row) - below(row.closest('section'))))
      })
    expect(await hidden()).toBeGreaterThan(0)
    const beside = page.getByRole('region', { name: 'Beside' })
    const heightOf = async () => (await beside.boundingBox())?.height
    const height = await heightOf()
    await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' })
    await expect.poll(hidden).toBe(0)
    expect(await heightOf()).toBe(height)
    await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' })
  }, 120_000)
  it('without a project, the tiles of devices and terminals have no number: 0 / 0 would look like an outage', async () => {
    const { page, tenants, enter } = opening
    await enter(tenants.b.admin.username)
    await page.goto('/cloudMonitor/cloudMonitorHome')
    const tile = (label: string) =>
      page.getByRole('main').getByText(label, { exact: true }).locator('xpath=following-sibling::*')
    await expect.poll(() => tile('Projects').first().textContent()).toBe('0')
    for (const label of ['Devices online', 'Terminals responding'])
      expect(await tile(label).first().textContent()).toBe('–')
  }, 120_000)
})
