/** No list scans a big table: the statements of every declared list are explained. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer } from '#api/server'
import { gatherDeclared } from '#infra/gather'
import { type Call, isCall } from '#schema/kit/call'
import { isListCall } from '#schema/kit/list'
import { ofInstallation } from '#schema/kit/rights'
import { furnishAll } from './furnish-all.ts'
import { testContext } from './harness.ts'
import { bodyFor, type Ids } from './sample-body.ts'
import { seedTenants, TEST_PASSWORD, type Tenants } from './tenants.ts'
import { watchedContext } from './watched-context.ts'

/** Tables that grow with devices or with time. Partitions are named after their table. */
const BIG =
  /^(devices|device_(states|hours|days|logs|warnings)|fleet_(hours|days)|version_days|presence_records|status_samples|traffic_(hours|days)|alarms|alarm_deliveries|operations|logins|mails|commands|task_items|task_events|printers|terminals|sim_switches|backups)(_\d{8}|_default)?$/

const calls = await gatherDeclared(isCall)
const lists = calls.filter(isListCall)
const reports = calls.filter(({ name }) => /^report\/get\w+Report$/.test(name))
/** What the home page asks every minute; counts of a whole fleet aside. */
const home = calls.filter(({ name }) => /get(DeviceNeeds|AlarmCount|AlarmOutages)$/.test(name))
const context = await testContext()
// A plan that still scans a whole table then has no alternative: the required index is missing.
const watch = watchedContext(context, { enable_seqscan: 'off' })
let app: FastifyInstance
let tenants: Tenants
const ids: Record<string, Ids> = {}
const tokens = new Map<string, string>()

type Plan = { 'Node Type': string; 'Relation Name'?: string; Alias?: string; Plans?: Plan[] }
const wholeReads = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' && BIG.test(plan['Relation Name'] ?? '')
    ? [plan['Relation Name'] ?? '']
    : []),
  ...(plan.Plans ?? []).flatMap(wholeReads),
]

/** The big tables that the call's own statements scan, each with its statement. */
async function explain(call: Call, body: Record<string, unknown>, username: string): Promise<string[]> {
  watch.watched.length = 0
  const answer = await app.inject({
    method: 'POST',
    url: call.path,
    headers: { token: tokens.get(username) ?? '' },
    payload: body,
  })
  expect(answer.json().code, answer.body.slice(0, 300)).toBe(0)
  const found: string[] = []
  for (const statement of watch.watched.filter(({ text }) => /^\s*(select|with|\()/i.test(text))) {
    const [row] = await watch.run(statement, 'explain (format json) ')
    const [top] = (row?.['QUERY PLAN'] ?? []) as { Plan: Plan }[]
    for (const table of top ? wholeReads(top.Plan) : ['no plan'])
      found.push(`${table}: ${statement.text.replaceAll(/\s+/g, ' ').slice(0, 600)}`)
  }
  return found
}

beforeAll(async () => {
  tenants = await seedTenants(context)
  const found = await furnishAll(context, tenants.a)
  ids['*'] = found.shared
  for (const [name, own] of Object.entries(found.own)) ids[name] = { ...found.shared, ...own }
  await context.sql`analyze`
  app = await buildServer(watch.context)
  await app.ready()
  for (const { username } of [tenants.a.admin, tenants.a.viewer, tenants.superAdmin]) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/userLogin',
      payload: { username, password: TEST_PASSWORD },
    })
    tokens.set(username, answer.json().data.token)
  }
})
afterAll(async () => {
  await app?.close()
  await watch.end()
})

const bodyOf = (call: Call) => bodyFor(call, ids[call.name] ?? ids['*'] ?? {})

describe.each(lists.map((call) => [call.name, call] as const))('%s', (_name, call) => {
  it('finds its first page, each order and a search by an index', async () => {
    // Lists of the installation are requested by the super administrator.
    const platform = typeof call.permission === 'object' && ofInstallation(call.permission)
    const { username } = platform ? tenants.superAdmin : tenants.a.admin
    for (const sort of call.sorts)
      expect(await explain(call, { ...bodyOf(call), sort }, username), sort).toEqual([])
    if (call.searches.length > 0)
      expect(await explain(call, { ...bodyOf(call), search: 'kiosk' }, username), 'search').toEqual([])
  })
})

describe('the home page', () => {
  it.each(home.map((call) => [call.name, call] as const))(
    '%s reads by an index, for every user',
    async (_name, call) => {
      for (const { username } of [tenants.a.admin, tenants.a.viewer, tenants.superAdmin])
        expect(await explain(call, {}, username)).toEqual([])
    },
  )
})

describe.each(reports.map((call) => [call.name, call] as const))('%s', (_name, call) => {
  it.each(['today', '7d', '30d', 'custom'])('sums %s by an index, for every user', async (range) => {
    const days = range === 'custom' ? { from: '2026-01-01', to: '2026-06-30' } : {}
    for (const { username } of [tenants.a.admin, tenants.a.viewer, tenants.superAdmin]) {
      const found = await explain(call, { range, ...days, previous: true }, username)
      // Counting all devices of the platform by version reads all of them.
      const counted = call.name === 'report/getVersionReport' && username === tenants.superAdmin.username
      expect(
        found.filter((text) => !counted || !text.startsWith('devices:')),
        username,
      ).toEqual([])
    }
  })
})
