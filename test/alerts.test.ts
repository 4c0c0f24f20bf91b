/** deploy/prometheus-alerts.yml: a rule about a figure that nobody serves would never fire. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { apiTest } from './api-client.ts'
import { root } from './tracked-files.ts'

type Rule = { alert: string; expr: string; for: string; labels: object; annotations: object }

const { app, call, tenants } = await apiTest()
const text = readFileSync(join(root, 'deploy/prometheus-alerts.yml'), 'utf8')
const { groups } = parse(text) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

it('there are alerts, each with its severity and what it means', () => {
  expect(rules.length).toBeGreaterThan(5)
  for (const { alert, ...rule } of rules)
    expect(rule, alert).toMatchObject({
      for: expect.stringMatching(/^\d+m$/),
      labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
      annotations: { summary: expect.any(String) },
    })
})

it.each(rules)('$alert reads figures that /metrics serves', async ({ expr }) => {
  await call('device/getDeviceList', {}, tenants.a.admin)
  const served = (await app.inject('/metrics')).body
  const read = expr.match(/\biot_\w+/g) ?? []
  // Prometheus itself knows whether an api responds.
  if (read.length === 0) expect(expr).toContain('up{job="iot-api"}')
  for (const name of read) expect(served).toMatch(new RegExp(`^${name}[ {]`, 'm'))
})
