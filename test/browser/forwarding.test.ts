/** A computed variable, from its formula in the console to a customer's web service. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { ensurePartitions } from '#infra/partitions'
import { loginRaw, type Raw } from '#test/raw-mqtt'
import type { TestDevice } from '#test/tenants'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, passTime, picture, settled } from './open-browser.ts'
import { type Watched, watchedTerminal } from './watched-terminal.ts'

/** Reports raw values by the plan it was sent, each after the acknowledgement of the one before. */
async function openGateway(port: number, device: TestDevice) {
  const raw: Raw = await loginRaw(port, device)
  let id = 1
  let revision = 0
  const publish = (name: string, payload: object) => {
    const topic = `v1/${device.sn}/up/${name}`
    raw.send({
      cmd: 'publish',
      topic,
      payload: JSON.stringify(payload),
      qos: 1,
      messageId: ++id,
      retain: false,
      dup: false,
    })
    return raw.take((packet) => packet.cmd === 'puback' && packet.messageId === id, 20_000)
  }
  raw.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `v1/${device.sn}/down/#`, qos: 1 }] })
  await raw.take('suback', 20_000)
  await publish('hello', {
    at: Date.now(),
    bootId: 'boot',
    model: 'R200',
    firmware: '1.0.0',
    features: ['collection'],
    plan: null,
  })
  return {
    end: () => raw.end(),
    /** Waits for the next plan. */
    async plan() {
      const sent = await raw.take(
        (packet) => packet.cmd === 'publish' && packet.topic.endsWith('/down/plan'),
        20_000,
      )
      if (sent.cmd !== 'publish') throw new Error('no plan')
      if (sent.qos === 1) raw.send({ cmd: 'puback', messageId: sent.messageId ?? 0 })
      revision = (JSON.parse(String(sent.payload)) as { revision: number }).revision
      await publish('collection', { at: Date.now(), plan: revision, slaves: [] })
    },
    report: (terminalId: number, values: readonly number[]) =>
      publish('variables', {
        plan: revision,
        t: terminalId,
        at: Date.now(),
        i: values.map((_, at) => at),
        v: values,
      }),
  }
}

describe.skipIf(noBrowser)('a computed variable and a target of forwarding', () => {
  let opening: Opening
  let watched: Watched
  let answer = 200
  let got: { values: Record<string, number>; quality: Record<string, string> }[] = []
  const service: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (answer === 200) got.push(...JSON.parse(Buffer.concat(parts).toString()))
      response.writeHead(answer).end()
    })
  })

  eachConsole(async (next) => {
    opening = next
    const { context } = next.booted
    context.env.WEBHOOK_ALLOW_PRIVATE = true
    await ensurePartitions(context.sql, context.now(), { daysBack: 2, tables: ['variable_reports'] })
    watched = await watchedTerminal(context, next.tenants.a)
    const { customerId, groups } = next.tenants.a
    await context.sql`insert into projects (customer_id, group_id, name, type) values (${customerId}, ${groups.root}, 'Plant', 'energy')`
    answer = 200
    got = []
    if (!service.listening) await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
    await next.enter(next.tenants.a.admin.username)
  })
  afterAll(() => service.close())

  it('a formula is tried on live values, is computed from what the gateway reports, and reaches the target, also after it has refused', async () => {
    const { page, booted, tenants } = opening
    const [device] = tenants.a.devices
    if (!device) throw new Error('no device')
    const { terminalId, templateId } = watched
    await page.goto(`/cloudMonitor/deviceManagement/collectConfigurate/${templateId}`)
    await page.getByRole('button', { name: 'Add variable' }).click()
    const form = page.getByRole('dialog', { name: 'Add variable' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Product')
    await form.getByRole('textbox', { name: 'Unit', exact: true }).fill('W')
    await form.getByRole('combobox', { name: 'I/O controller' }).click()
    await page.getByRole('option', { name: 'Formula over variables' }).click()
    // What is tried is what is saved: there is one field, which takes names from a list, too.
    const formula = form.getByRole('textbox', { name: 'Formula' })
    await form.getByRole('combobox', { name: 'Insert a variable' }).click()
    await page.getByRole('option', { name: 'Temperature' }).click()
    await expect.poll(() => formula.inputValue()).toBe('Temperature ')
    await formula.fill('Temperature * (Pressure')
    await form.getByText(/^Character 24: /).waitFor()
    await formula.fill('Temperature * Pressure + 1')
    // Each step with its value: of the samples that the terminal has.
    for (const [part, value] of [
      ['Temperature', '61.5'],
      ['Pressure', '4'],
      ['Temperature * Pressure', '246'],
      ['Temperature * Pressure + 1', '247'],
    ] as const)
      await form
        .getByRole('row')
        .filter({ has: page.getByText(part, { exact: true }) })
        .getByRole('cell', { name: value, exact: true })
        .waitFor()
    await form.getByText('Result: 247 Good').waitFor()
    await settled(page)
    await picture(page, 'formula', 'tried')
    // It must not depend on itself.
    await formula.fill('Product + 1')
    await form.getByRole('button', { name: 'Add variable' }).click()
    await form.locator('[aria-invalid="true"]').first().waitFor()
    await formula.fill('Temperature * Pressure + 1')
    await form.getByRole('button', { name: 'Add variable' }).click()
    await form.waitFor({ state: 'hidden' })

    await page.goto('/cloudMonitor/deviceManagement/north')
    await page.getByRole('button', { name: 'Add target' }).first().click()
    const target = page.getByRole('dialog', { name: 'Add target' })
    await target.getByRole('combobox', { name: 'Project' }).click()
    await page.getByRole('option', { name: 'Plant' }).click()
    await target.getByRole('combobox', { name: 'Target type' }).click()
    await page.getByRole('option', { name: 'Web service' }).click()
    await target.getByRole('textbox', { name: 'Name', exact: true }).fill('Data platform')
    const { port } = service.address() as AddressInfo
    await target.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${port}/in/secret-path`)
    await target.getByRole('button', { name: 'Add target' }).click()
    await target.waitFor({ state: 'hidden' })
    const row = page.getByRole('row', { name: /Data platform/ })
    await row.waitFor()
    // The path of a web service is often its secret.
    expect(await page.content()).not.toContain('secret-path')

    const gateway = await openGateway(Number(new URL(booted.mqttUrl).port), device)
    try {
      await gateway.plan()
      const values = () => got.map((one) => one.values['Product'])
      /** The workers say it sooner or later, and the page asks every ten seconds or so. */
      const says = (text: string) =>
        expect
          .poll(
            async () => {
              await passTime(page, 11)
              return row.getByText(text).count()
            },
            { interval: 500 },
          )
          .toBe(1)
      await gateway.report(terminalId, [20, 3])
      await expect.poll(values).toEqual([61])
      expect(got[0]).toMatchObject({ values: { Temperature: 20, Pressure: 3, Product: 61 } })
      await page.getByRole('button', { name: 'Refresh', exact: true }).click()
      await row.getByText('Up to date').waitFor()
      answer = 503
      await gateway.report(terminalId, [21, 3])
      await gateway.report(terminalId, [22, 3])
      await says('Failing')
      await row.getByText('Refused 503.').waitFor()
      await settled(page)
      await picture(page, 'north', 'failing')
      answer = 200
      await expect.poll(values).toEqual([61, 64, 67])
      await says('Up to date')
      await page.goto('/cloudMonitor/deviceManagement/variableList?search=Product')
      await page.getByText('67 W').first().waitFor()
    } finally {
      gateway.end()
    }
  }, 180_000)
})
