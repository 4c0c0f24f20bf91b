import { beforeEach, describe, expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { seedTenants } from '#test/tenants'
import { budgetWaitMs, takeFromBudget, takeIfLeft } from './send-budget.ts'

const context = await testContext()
const { sql, parameters } = context
const { a, b } = await seedTenants(context)
const MINUTE_MS = 60_000
/** Twenty within an hour: one every three minutes. */
const tests = { customerId: a.customerId, purpose: 'channelTest' } as const
const take = (spender: Parameters<typeof takeIfLeft>[2] = tests) => takeIfLeft(sql, parameters, spender)
const pass = (minutes: number) =>
  sql`update send_budgets set counted_at = counted_at - ${minutes} * interval '1 minute'`

beforeEach(() => sql`truncate send_budgets`)

describe('a budget', () => {
  it('is not exceeded by 300 at once, and returns the waiting time', async () => {
    const waits = await Promise.all(Array.from({ length: 300 }, () => take()))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20)
    for (const wait of waits.filter((one) => one > 0)) expect(wait).toBeLessThanOrEqual(3 * MINUTE_MS)
  })

  it('refills at its rate', async () => {
    for (let i = 0; i < 20; i++) await take()
    expect(await take()).toBeGreaterThan(2.9 * MINUTE_MS)
    await pass(3)
    expect(await budgetWaitMs(sql, parameters, tests)).toBe(0)
    expect(await take()).toBe(0)
    expect(await take()).toBeGreaterThan(0)
    await pass(60)
    const waits = []
    for (let i = 0; i < 21; i++) waits.push(await take())
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20)
  })

  it('counted by a clock that was set back since is full again, and is counted from now on', async () => {
    for (let i = 0; i < 20; i++) await take()
    await pass(-60 * 24 * 365)
    expect(await budgetWaitMs(sql, parameters, tests)).toBe(0)
    const waits = []
    for (let i = 0; i < 21; i++) waits.push(await take())
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20)
    await pass(-60 * 24 * 365)
    expect(await takeFromBudget(sql, parameters, tests)).toBe(0)
    expect(await sql`select used from send_budgets where counted_at <= now()`).toEqual([{ used: 1 }])
  })

  it('belongs to one customer and one purpose; the platform has its own', async () => {
    for (let i = 0; i < 20; i++) await take()
    expect(await take({ ...tests, customerId: b.customerId })).toBe(0)
    expect(await take({ ...tests, customerId: null })).toBe(0)
    for (const purpose of ['alarm', 'notice', 'report', 'confirmation'] as const)
      expect(await take({ ...tests, purpose })).toBe(0)
    expect(await take()).toBeGreaterThan(0)
  })

  it('has the size of the parameter, also of the customer’s own value', async () => {
    await sql`insert into parameter_values (key, customer_id, value) values ('channelTestsPerHour', ${a.customerId}, 5)`
    parameters.forget()
    for (let i = 0; i < 5; i++) expect(await take()).toBe(0)
    expect(await take()).toBeGreaterThan(11 * MINUTE_MS)
    await sql`delete from parameter_values`
    parameters.forget()
  })

  it('queues messages that must not be lost, one after the other', async () => {
    for (let i = 0; i < 20; i++) expect(await takeFromBudget(sql, parameters, tests)).toBe(0)
    const waits = [await takeFromBudget(sql, parameters, tests), await takeFromBudget(sql, parameters, tests)]
    expect(waits.map((wait) => Math.round(wait / MINUTE_MS))).toEqual([3, 6])
  })
})
