/** Pages of Cloud Monitoring with data: the past of variables, and what people do there. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ensurePartitions } from '#infra/partitions'
import { sayIn } from '#infra/say'
import { type Operator, operators, partsOf } from '#schema/monitor/notice/variable-condition'
import { loginRaw } from '#test/raw-mqtt'
import { TEST_PASSWORD } from '#test/tenants'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, passTime, picture, settled } from './open-browser.ts'
import { type Watched, watchedTerminal } from './watched-terminal.ts'

describe.skipIf(noBrowser)('cloud monitoring', () => {
  let opening: Opening
  let watched: Watched

  eachConsole(async (next) => {
    opening = next
    const { context } = next.booted
    await ensurePartitions(context.sql, context.now(), { daysBack: 2, tables: ['variable_reports'] })
    watched = await watchedTerminal(context, next.tenants.a)
    await next.enter(next.tenants.a.admin.username)
  })

  const openHistory = (more: string) =>
    opening.page.goto(
      `/cloudMonitor/statisticalReports/historyRecords?series=${watched.terminalId}.${watched.variableId}&${more}`,
    )

  /** Makes a panel in a project of the customer, and returns its id. */
  async function panelOf(name: string, widgets: readonly object[]): Promise<number> {
    const { booted, tenants } = opening
    const { customerId, groups } = tenants.a
    const { sql } = booted.context
    await sql`
      insert into projects (customer_id, group_id, name, type) values (${customerId}, ${groups.root}, 'Shared', 'energy') on conflict do nothing`
    const [panel] = await sql<{ id: number }[]>`
      insert into panels (project_id, name, widgets)
      select id, ${`${name} ${watched.terminalId}`}, ${sql.json(widgets as never)} from projects where customer_id = ${customerId} limit 1 returning id`
    return panel?.id ?? 0
  }

  it('asks before a heavy read, draws alarms behind the values, keeps the zoom in the address, and saves a file with its progress', async () => {
    const { page, booted } = opening
    const { sql } = booted.context
    await openHistory('range=sixHours&step=raw')
    const chart = page.locator('canvas, svg').and(page.locator('[role="img"] *')).first()
    await chart.waitFor()
    await page.getByRole('cell', { name: 'Too hot' }).waitFor()
    await settled(page)
    await picture(page, 'history', 'alarms')
    // Dragging across the middle of the chart zooms, and the address says so.
    const place = await page.locator('[role="img"]').first().boundingBox()
    if (!place) throw new Error('no chart')
    const y = place.y + place.height / 2
    await page.mouse.move(place.x + place.width * 0.3, y)
    await page.mouse.down()
    await page.mouse.move(place.x + place.width * 0.6, y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => new URL(page.url()).searchParams.get('zoom')).toMatch(/^\d{4}-.*~\d{4}-/)
    const [from = '', to = ''] = new URL(page.url()).searchParams.get('zoom')?.split('~') ?? []
    expect(Date.parse(to) - Date.parse(from)).toBeGreaterThan(30 * 60_000)
    expect(Date.parse(to) - Date.parse(from)).toBeLessThan(4 * 3_600_000)
    await settled(page)
    await picture(page, 'history', 'zoomed')
    const reset = page.getByRole('button', { name: 'Reset zoom' })
    await reset.click()
    await expect.poll(() => new URL(page.url()).searchParams.has('zoom')).toBe(false)
    // The file: its last line is of the newest sample.
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const path = await (await coming).path()
    const lines = readFileSync(path, 'utf8').trim().split('\r\n')
    expect(lines).toHaveLength(watched.samples + 1)
    // Now the same terminal is read a hundred times a second.
    await sql`update variables set cycle_s = 1 where id = ${watched.variableId}`
    await page.route('**/estimateVariableHistory', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { samples: number; seconds: number; tooMany: boolean } }
      await route.fulfill({ json: { ...body, data: { samples: 1_234_567, seconds: 3, tooMany: false } } })
    })
    let asked = 0
    await page.route('**/getVariableHistory', (route) => {
      asked += 1
      return route.continue()
    })
    await openHistory('range=day&step=raw')
    await page.getByText('This query reads about 1,234,567 samples, which takes about 3 sec.').waitFor()
    await settled(page)
    await picture(page, 'history', 'heavy')
    expect(asked).toBe(0)
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByRole('region', { name: 'Figures of the range' }).waitFor()
    expect(asked).toBe(1)
    await page.unroute('**/estimateVariableHistory')
    await page.unroute('**/getVariableHistory')
  })

  it('on paper, the history of variables says which time it shows', async () => {
    const { page } = opening
    await openHistory('range=sixHours&step=raw')
    await page.getByRole('region', { name: 'Figures of the range' }).waitFor()
    await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' })
    await page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d.* – \d{4}-\d\d-\d\d \d\d:\d\d/).waitFor()
    await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' })
  })

  it('the time axis shows what happened at a given time, and its link shows another user the same', async () => {
    const { page, booted } = opening
    const { sql } = booted.context
    const [alarm] = await sql<{ at: Date }[]>`select started_at as at from alarms where rule_name = 'Too hot'`
    const at = alarm?.at.toISOString() ?? ''
    await sql`
      insert into commands (id, device_id, customer_id, name, args, state, created_at, deadline_at, ended_at)
      select gen_random_uuid(), ${watched.deviceId}, customer_id, 'ping', '{}', 'done', ${at}::timestamptz + interval '1 minute', now(), ${at}::timestamptz + interval '1 minute'
      from devices where id = ${watched.deviceId}`
    await page.goto(
      `/cloudMonitor/statisticalReports/timeAxis?deviceId=${watched.deviceId}&at=${at}&series=${watched.terminalId}.${watched.variableId}`,
    )
    const told = page.getByRole('listitem').filter({ hasText: 'Too hot' })
    await told.waitFor()
    await page.getByRole('img', { name: 'Boiler 1 / Temperature' }).waitFor()
    await settled(page)
    await picture(page, 'time-axis', 'moment')
    // Pressing elsewhere chooses another moment: nothing happened then.
    const moment = page.getByRole('slider')
    await moment.focus()
    for (let n = 0; n < 40; n++) await page.keyboard.press('ArrowLeft')
    await page.getByText(sayIn('en-US')('time-axis:nothing')).waitFor()
    expect(Date.parse(new URL(page.url()).searchParams.get('at') ?? '')).toBeLessThan(
      Date.parse(at) - 1_800_000,
    )
    await page.setViewportSize({ width: 390, height: 844 })
    await settled(page)
    await picture(page, 'time-axis', 'narrow')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the time axis stays where it is when a time on it is pressed, also after another time was looked at', async () => {
    const { page } = opening
    const axis = '/cloudMonitor/statisticalReports/timeAxis'
    const longAgo = new Date(Date.now() - 40 * 3_600_000)
    await page.goto(`${axis}?deviceId=${watched.deviceId}&at=${longAgo.toISOString()}&span=hour`)
    const moment = page.getByRole('slider')
    const ends = async () => ({
      from: Number(await moment.getAttribute('min')),
      to: Number(await moment.getAttribute('max')),
    })
    await expect.poll(async () => (await ends()).to).toBeLessThan(Date.now() - 38 * 3_600_000)
    // The same page again, at the present.
    await page.getByRole('link', { name: 'Time axis' }).first().click()
    await page.getByRole('combobox', { name: 'Gateway' }).click()
    await page.getByRole('option').first().click()
    await expect.poll(async () => (await ends()).to).toBeGreaterThan(Date.now() - 300_000)
    const before = await ends()
    await moment.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => new URL(page.url()).searchParams.has('at')).toBe(true)
    expect((await ends()).to).toBeGreaterThan(before.to - 60_000)
  })

  it('of a gateway with hundreds of variables, the time axis names and finds each', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    const [template] = await sql<{ id: number }[]>`
      insert into collection_templates (customer_id, name, type, next_slot) values (${tenants.a.customerId}, 'Bank', 'other', 210) returning id`
    await sql`
      insert into variables (template_id, slot, name, unit, register_type, address, data_type)
      select ${template?.id ?? 0}, n, 'Cell ' || n, 'V', 'holding', n, 'uint16' from generate_series(0, 209) n`
    await sql`
      insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address)
      values (${watched.deviceId}, 'A bank', ${template?.id ?? 0}, 'modbusTcp', 8, '192.0.2.8')`
    await page.goto(
      `/cloudMonitor/statisticalReports/timeAxis?deviceId=${watched.deviceId}&series=${watched.terminalId}.${watched.variableId}`,
    )
    await page.getByText('Temperature · Boiler 1', { exact: true }).first().waitFor()
    await page.getByRole('combobox', { name: 'Variables' }).fill('Press')
    await page.getByRole('option', { name: 'Pressure · Boiler 1' }).click()
    await page.getByRole('img', { name: 'Boiler 1 / Pressure' }).waitFor()
  })

  it('a value is set from a panel, and each page that is kept has its own dialog', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    // Really connected: a device that is only marked as online is soon detected as offline.
    const [device] = tenants.a.devices
    if (!device) throw new Error('no device')
    const gateway = await loginRaw(Number(new URL(booted.mqttUrl).port), device)
    const { terminalId, variableId } = watched
    const widget = {
      key: 'a',
      kind: 'switch',
      x: 0,
      y: 0,
      w: 5,
      h: 4,
      title: 'Set point',
      variables: [{ terminalId, variableId }],
    }
    const [project] = await sql<{ id: number }[]>`
      insert into projects (customer_id, group_id, name, type) values (${tenants.a.customerId}, ${tenants.a.groups.root}, ${`Plant ${terminalId}`}, 'energy')
      on conflict do nothing returning id`
    const projectId =
      project?.id ??
      (await sql`select id from projects where customer_id = ${tenants.a.customerId}`)[0]?.['id']
    const [panel] = await sql<{ id: number }[]>`
      insert into panels (project_id, name, widgets) values (${projectId}, ${`Desk ${terminalId}`}, ${sql.json([widget])}) returning id`
    await page.goto('/cloudMonitor/deviceManagement/variableList')
    await page.getByRole('cell', { name: 'Temperature' }).first().waitFor()
    await page.getByRole('link', { name: 'Panels' }).first().click()
    await page.getByText(`Desk ${terminalId}`).first().click()
    await page.waitForURL(`**/panels/${panel?.id ?? 0}`)
    const open = page.getByRole('region', { name: 'Set point' }).getByRole('button', { name: 'Set value' })
    await open.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Now: 61.5 °C').waitFor()
    expect(await dialog.count()).toBe(1)
    await picture(page, 'panel', 'write')
    // Left by the back button of the browser: it does not appear on the other page.
    await page.goBack()
    await dialog.waitFor({ state: 'hidden' })
    await open.click()
    // What it says of now is not what was there when it was opened.
    await dialog.getByText('Now: 61.5 °C').waitFor()
    await sql`update terminal_latest set vals[1] = 64.5 where terminal_id = ${terminalId}`
    await passTime(page, 6)
    await dialog.getByText('Now: 64.5 °C').waitFor()
    await dialog.getByRole('textbox').fill('70')
    await dialog.getByRole('button', { name: 'Set', exact: true }).click()
    await expect
      .poll(async () => (await sql`select args from commands where name = 'writeVariable'`).length)
      .toBe(1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Variables' }).first().click()
    await page.getByRole('cell', { name: 'Temperature' }).first().waitFor()
    expect(await dialog.count()).toBe(0)
    gateway.end()
  })

  it('two editors of one panel: the second one is informed, and continues with either version', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    const { admin } = tenants.a
    const id = await panelOf('Shared', [])
    const token = await booted.login(admin.username, TEST_PASSWORD)
    const widget = (key: string, title: string) => ({
      key,
      kind: 'map',
      x: 0,
      y: 0,
      w: 5,
      h: 4,
      title,
      variables: [],
    })
    const theirs = async (title: string) => {
      const { data } = await booted.call('panel/getPanel', { id }, token)
      const { edition } = data as { edition: string }
      expect(
        await booted.call('panel/savePanel', { id, edition, widgets: [widget('t', title)] }, token),
      ).toMatchObject({ code: 0 })
    }
    const stored = async () =>
      (
        await sql<{ title: string }[]>`
        select w->>'title' as title from panels, jsonb_array_elements(widgets) w where id = ${id} order by 1`
      ).map(({ title }) => title)
    const compose = async (title: string) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
      await page.getByRole('button', { name: 'Add widget' }).click()
      await page.getByRole('menuitem', { name: 'Map' }).click()
      const settings = page.getByRole('dialog', { name: 'Map' })
      await settings.getByRole('textbox', { name: 'Title' }).fill(title)
      await page.keyboard.press('Escape')
      await settings.waitFor({ state: 'hidden' })
    }
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await page.goto(`/cloudMonitor/deviceManagement/panels/${id}`)
    await compose('Mine')
    await theirs('Theirs')
    await save.click()
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    // Nothing of a panel is merged, and the note says so; the versions are told apart by their widgets.
    await page.getByText(sayIn('en-US')('panel:conflict')).waitFor()
    for (const names of ['1: Mine', '1: Theirs']) await page.getByRole('cell', { name: names }).waitFor()
    await picture(page, 'panel', 'conflict')
    expect(await stored()).toEqual(['Theirs'])
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await save.click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    expect(await stored()).toEqual(['Mine'])
    await compose('Another')
    await theirs('Theirs again')
    await save.click()
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await page.getByRole('button', { name: 'Widget Theirs again' }).waitFor()
    await page.getByRole('button', { name: 'Close editor' }).click()
    expect(await stored()).toEqual(['Theirs again'])
    await compose('Too late')
    await sql`delete from panels where id = ${id}`
    await save.click()
    await page.getByText(sayIn('en-US')('panel:missing.text')).waitFor()
  })

  it('a new widget of a panel is brought into view, which others push below it', async () => {
    const { page } = opening
    const tall = (n: number) => ({
      key: `t${n}`,
      kind: 'map',
      x: 0,
      y: n * 8,
      w: 12,
      h: 8,
      title: '',
      variables: [],
    })
    const id = await panelOf('Tall', [0, 1, 2].map(tall))
    await page.goto(`/cloudMonitor/deviceManagement/panels/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await page.getByRole('button', { name: 'Add widget' }).click()
    await page.getByRole('menuitem', { name: 'Gauge' }).click()
    await page.getByRole('dialog', { name: 'Gauge' }).waitFor()
    const isInView = () =>
      page
        .locator('[data-widget]')
        .last()
        .evaluate((last) => {
          const { top, bottom } = last.getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight
        })
    await expect.poll(isInView).toBe(true)
  })

  it('nothing can be changed while a panel is saved, as it would be lost', async () => {
    const { page } = opening
    const id = await panelOf('Slow', [
      { key: 's', kind: 'map', x: 0, y: 0, w: 8, h: 6, title: 'Map', variables: [] },
    ])
    await page.goto(`/cloudMonitor/deviceManagement/panels/${id}?edit=true`)
    const grip = page.getByRole('button', { name: 'Widget Map' })
    const column = () =>
      page.locator('[data-widget]').evaluate((one: HTMLElement) => one.style.getPropertyValue('--x'))
    await grip.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(column).toBe('1')
    let save: (() => void) | undefined
    await page.route('**/api/panel/savePanel', async (route) => {
      await new Promise<void>((done) => {
        save = done
      })
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => save !== undefined).toBe(true)
    await grip.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Control+z')
    expect(await column()).toBe('1')
    save?.()
    await page.getByRole('button', { name: 'Edit', exact: true }).first().waitFor()
    await page.unroute('**/api/panel/savePanel')
  })

  it('a panel edited by keyboard never loses the focus, nor a widget that is moved below the window', async () => {
    const { page } = opening
    const map = (n: number) => ({
      key: `k${n}`,
      kind: 'map',
      x: 0,
      y: n * 6,
      w: 12,
      h: 6,
      title: `Map ${n}`,
      variables: [],
    })
    const id = await panelOf('Keys', [0, 1].map(map))
    await page.goto(`/cloudMonitor/deviceManagement/panels/${id}`)
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName,
      )
    const content = () => page.evaluate(() => document.activeElement?.id)
    await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
    const last = page.getByRole('button', { name: 'Widget Map 1' })
    await last.waitFor()
    await expect.poll(content).toBe('content')
    for (let n = 0; n < 12; n++) await last.press('ArrowDown')
    const isInView = () =>
      last.evaluate((grip) => {
        const { top, bottom } = grip.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await expect.poll(isInView).toBe(true)
    await last.press('Delete')
    await last.waitFor({ state: 'detached' })
    expect(await focused()).toBe('Widget Map 0')
    await page.keyboard.press('Delete')
    await page.locator('[data-widget]').waitFor({ state: 'detached' })
    expect(await content()).toBe('content')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    await expect.poll(content).toBe('content')
  }, 120_000)

  it('a picture is uploaded for a panel, values are placed on it, and both are stored and drawn', async () => {
    const { page, booted } = opening
    const { sql } = booted.context
    const { terminalId, variableId } = watched
    const widget = {
      key: 'p',
      kind: 'picture',
      x: 0,
      y: 0,
      w: 8,
      h: 8,
      title: 'Plan',
      variables: [{ terminalId, variableId }],
    }
    const id = await panelOf('Plan', [widget])
    await page.goto(`/cloudMonitor/deviceManagement/panels/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await page.getByRole('button', { name: 'Widget Plan' }).focus()
    await page.keyboard.press('Enter')
    const settings = page.getByRole('dialog', { name: 'Picture' })
    const file = settings.locator('input[type=file]')
    // Not a picture, whatever its name says: refused, and nothing is changed.
    await file.setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
    await settings.locator('[role=alert], .mantine-InputWrapper-error').first().waitFor()
    const png = await page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 320 } })
    await file.setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: png })
    const plan = settings.getByRole('img', { name: 'Plan' })
    await expect.poll(() => plan.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(640)
    await settled(page)
    const box = await plan.boundingBox()
    if (!box) throw new Error('no picture')
    await page.mouse.click(box.x + box.width * 0.25, box.y + box.height * 0.75)
    await picture(page, 'panel', 'places')
    await page.keyboard.press('Escape')
    await settings.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    const [stored] =
      (
        await sql<{ widgets: { imageId: string; variables: { left: number; top: number }[] }[] }[]>`
        select widgets from panels where id = ${id}`
      )[0]?.widgets ?? []
    expect(stored?.imageId).toMatch(/^[0-9a-f-]{36}$/)
    expect(stored?.variables[0]?.left).toBeCloseTo(25, 0)
    expect(stored?.variables[0]?.top).toBeCloseTo(75, 0)
    await page.reload()
    const shown = page.getByRole('region', { name: 'Plan' })
    await expect
      .poll(() =>
        shown
          .getByRole('img', { name: 'Plan' })
          .evaluate((image) => (image as HTMLImageElement).naturalWidth),
      )
      .toBe(640)
    await shown.getByText('61.5 °C').waitFor()
    await settled(page)
    await picture(page, 'panel', 'picture')
  })

  it('the form of a notice asks for what each condition needs, and for nothing else', async () => {
    const { page } = opening
    await page.goto('/cloudMonitor/alarmManagement/alarmNotice')
    await page.getByRole('button', { name: 'Add notice' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add notice' })
    const labels: Record<string, string> = {
      low: 'Limit',
      high: 'Upper limit',
      recoverAt: 'Recovery value',
      hysteresis: 'Hysteresis',
      bit: 'Bit',
      withinS: 'Within (s)',
      minutes: 'For (min)',
      forS: 'Lasting (s)',
    }
    const say = sayIn('en-US')
    const nameOf = (operator: Operator) => say(`variable-notice:operator.${operator}`)
    for (const operator of operators) {
      await form.getByRole('combobox', { name: 'Trigger condition' }).click()
      await page.getByRole('option', { name: nameOf(operator), exact: true }).click()
      for (const [part, label] of Object.entries(labels)) {
        const needed = (partsOf(operator) as readonly string[]).includes(part)
        const field = form.getByLabel(new RegExp(`^${label.replace(/[()]/g, '\\$&')}( \\*)?$`))
        expect(await field.count(), `${operator}: ${part}`).toBe(needed ? 1 : 0)
      }
    }
    await form.getByRole('textbox', { name: 'Event name' }).fill(`Range ${watched.terminalId}`)
    await form.getByRole('combobox', { name: 'Trigger condition' }).click()
    await page.getByRole('option', { name: nameOf('outside'), exact: true }).click()
    await form.getByRole('combobox', { name: 'Variable' }).click()
    await page
      .getByRole('option', { name: /Boiler.*Temperature|Temperature.*Boiler/ })
      .first()
      .click()
    await form.getByLabel(/^Limit/).fill('10')
    await form.getByLabel(/^Upper limit/).fill('5')
    await settled(page)
    await picture(page, 'notices', 'form')
    await form.getByRole('button', { name: 'Add notice' }).click()
    // The ends are the wrong way round: said at the field.
    await form.getByRole('alert').or(form.locator('[aria-invalid="true"]')).first().waitFor()
    await form.getByLabel(/^Upper limit/).fill('50')
    await form.getByRole('button', { name: 'Add notice' }).click()
    await page
      .getByRole('cell', { name: `Range ${watched.terminalId}` })
      .first()
      .waitFor()
  })

  it('draws the last day beside each value, in a column that keeps its width', async () => {
    const { page } = opening
    await page.route('**/getVariableValues', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { list: { trend: number[] }[] } }
      const list = body.data.list.map((row) => ({ ...row, trend: [20, 22, 19, 21] }))
      await route.fulfill({ json: { ...body, data: { ...body.data, list } } })
    })
    await page.goto('/cloudMonitor/deviceManagement/variableList')
    const line = page.locator('tbody tr div[title="The last 4 hours"] svg').first()
    await line.waitFor()
    await settled(page)
    await picture(page, 'variables', 'trend')
    const width = (await line.boundingBox())?.width ?? 0
    expect(width).toBeGreaterThan(60)
    expect(width).toBeLessThan(400)
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await settled(page)
    expect((await line.boundingBox())?.width).toBe(width)
  })

  it('a template goes out as JSON and comes in again; a paste says which cells are wrong, and is saved when none is', async () => {
    const { page, booted } = opening
    const { sql } = booted.context
    await page.goto(`/cloudMonitor/deviceManagement/collectConfigurate/${watched.templateId}`)
    await page.getByRole('cell', { name: 'Temperature' }).first().waitFor()
    // By hand, one variable.
    await page.getByRole('button', { name: 'Add variable' }).click()
    const form = page.getByRole('dialog', { name: 'Add variable' })
    await form.getByLabel(/^Name/).fill('Level')
    await form.getByLabel(/^Unit/).fill('m')
    // As in the manual, which may be meant as on the wire, too.
    const address = form.getByLabel(/^Start address/)
    await address.fill('400009')
    await form.getByRole('button', { name: 'Taken from a manual? 400009 is 8 on the wire' }).waitFor()
    await address.fill('40008')
    await form.getByText('In manuals: 440009.').waitFor()
    await form.getByRole('button', { name: 'Taken from a manual? 40008 is 7 on the wire' }).click()
    expect(await address.inputValue()).toBe('7')
    await form.getByText('In manuals: 40008.').waitFor()
    await address.fill('0x7')
    await form.getByRole('button', { name: 'Add variable' }).click()
    await page.getByRole('cell', { name: 'Level', exact: true }).first().waitFor()
    const [level] = await sql<{ address: number }[]>`select address from variables where name = 'Level'`
    expect(level).toEqual({ address: 7 })
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const path = await (await coming).path()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const paste = page.getByRole('dialog')
    const rows = (factor: string) =>
      `Name\tUnit\tRegister type\tStart address\tData type\tByte order\tReport\tFactor\nFlow\tm³\tHolding register\t10\tuint16\ttemplate\tEach cycle\t${factor}`
    await paste.getByRole('textbox').fill(rows('0'))
    await settled(page)
    await picture(page, 'template', 'paste')
    await paste.getByText('Rows: 1, wrong cells: 1').waitFor()
    await paste.getByRole('textbox').fill(rows('0.5'))
    await paste.getByText('Rows: 1, wrong cells: 0').waitFor()
    await paste.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Flow' }).first().waitFor()
    // The list's own file comes in again; of a table with fewer columns, the other values stay.
    const listed = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const csv = readFileSync(await (await listed).path())
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await paste
      .locator('input[type="file"]')
      .setInputFiles({ name: 'v.csv', mimeType: 'text/csv', buffer: csv })
    await paste.getByText('Rows: 4, wrong cells: 0').waitFor()
    await paste.getByRole('textbox').fill('名称\t上报周期（秒）\nFlow\t7')
    await paste.getByText('Rows: 1, wrong cells: 0').waitFor()
    // A colleague changes it meanwhile.
    await sql`update variables set factor = 2 where name = 'Flow'`
    await paste.getByRole('button', { name: 'Save' }).click()
    await paste.waitFor({ state: 'hidden' })
    const [flow] =
      await sql`select unit, address, factor, cycle_s as cycle from variables where name = 'Flow'`
    expect(flow).toEqual({ unit: 'm³', address: 10, factor: 2, cycle: 7 })
    await page.goto('/cloudMonitor/deviceManagement/collectConfigurate')
    await page.getByRole('button', { name: 'Import', exact: true }).first().click()
    const library = page.getByRole('dialog', { name: 'Import' })
    const nameless = { format: 'collection-template/1', type: 'other', variables: [{ name: 'U', factor: 0 }] }
    await library.locator('input[type="file"]').setInputFiles({
      name: 'nameless.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(nameless)),
    })
    const name = library.getByRole('textbox', { name: 'Name', exact: true })
    expect(await name.inputValue()).toBe('')
    await name.fill('Nameless')
    await library.getByRole('button', { name: 'Add template' }).click()
    await library.getByText('Variable U: ').waitFor()
    await library.locator('input[type="file"]').setInputFiles({
      name: 'boiler.json',
      mimeType: 'application/json',
      buffer: readFileSync(path),
    })
    await name.fill(`Copy ${watched.terminalId}`)
    await library.getByRole('button', { name: 'Add template' }).click()
    await page.getByRole('heading', { name: `Copy ${watched.terminalId}` }).waitFor()
    expect(
      (
        await sql`
        select v.name from variables v join collection_templates t on t.id = v.template_id
        where t.name = ${`Copy ${watched.terminalId}`} order by v.slot`
      ).map(({ name }) => name),
    ).toEqual(['Temperature', 'Pressure', 'Level'])
  })

  it('a message of a foreign source is tried, and its names are linked and added', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    const { customerId, groups } = tenants.a
    await sql`
      insert into projects (customer_id, group_id, name, type) values (${customerId}, ${groups.root}, 'Shared', 'energy') on conflict do nothing`
    const name = `Plant PLC ${watched.terminalId}`
    const [account] = await sql<{ id: number }[]>`
      insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics, mapping)
      select ${customerId}, id, ${name}, 'mapping', ${`south.x${watched.terminalId}`}, 'x', '{plant/#}', ${sql.json({ terminalAt: 'topic/2', valuesAt: '/d' })}
      from projects where customer_id = ${customerId} limit 1 returning id`
    await sql`
      insert into south_names (account_id, source, name, value, at) values (${account?.id ?? 0}, 'press', 'oil', '17.5', now())`
    await page.goto(`/cloudMonitor/deviceManagement/south?search=${encodeURIComponent(name)}`)
    const menu = page.getByRole('row', { name: new RegExp(name) })
    await menu.waitFor()
    await page.getByRole('button', { name: 'Try a message' }).first().click()
    const tester = page.getByRole('dialog', { name: 'Try a message' })
    const fill = (label: string, text: string) =>
      tester
        .getByLabel(new RegExp(`^${label}`))
        .first()
        .fill(text)
    await fill('Topic', 'plant/press')
    await fill('Message', '{"d":{"oil":17.5,"__proto__":3,"on":true}}')
    await fill('Terminal name', 'topic/2')
    await fill('Values', '/d')
    await tester.getByRole('button', { name: 'Read' }).click()
    await page.getByRole('cell', { name: 'oil' }).first().waitFor()
    await page.getByRole('cell', { name: '__proto__' }).first().waitFor()
    await settled(page)
    await picture(page, 'south', 'tester')
    // Once more with what was entered.
    await page.getByRole('dialog').getByRole('button', { name: 'Try a message' }).click()
    await tester.getByRole('button', { name: 'Read' }).click()
    await page.getByRole('cell', { name: 'oil' }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await menu
      .getByRole('button', { name: /Names|Actions|More/ })
      .first()
      .click()
    const named = page.getByRole('menuitem', { name: 'Names' })
    const drawer = page.getByRole('dialog', { name: `Names of ${name}` })
    await named.or(drawer).first().waitFor()
    if (await named.isVisible()) await named.click()
    await drawer.getByRole('cell', { name: 'oil' }).waitFor()
    await picture(page, 'south', 'names')
    await drawer.getByRole('button', { name: 'Link', exact: true }).first().click()
    const link = page.getByRole('dialog', { name: 'Link press' })
    await link.getByRole('combobox', { name: 'Terminal' }).click()
    await page
      .getByRole('option', { name: /Boiler 1/ })
      .first()
      .click()
    await link.getByRole('button', { name: 'Link', exact: true }).click()
    await link.waitFor({ state: 'hidden' })
    await drawer.getByRole('cell', { name: /Boiler 1/ }).waitFor()
    // Linking forgets what was unknown before; the next message names it again.
    await sql`
      insert into south_names (account_id, source, name, value, at) values (${account?.id ?? 0}, 'press', 'oil', '17.5', now())
      on conflict do nothing`
    await drawer.getByRole('button', { name: 'Add to template' }).first().click()
    await expect
      .poll(async () =>
        (await sql`select io_controller as io, data_type as type from variables where name = 'oil'`).map(
          (row) => ({ ...row }),
        ),
      )
      .toEqual([{ io: 'source', type: 'float64' }])
  })
})
