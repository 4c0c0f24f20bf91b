import { expect, it, vi } from 'vitest'
import { BUDGET, run } from './web-size.ts'

it('keeps the first download within the budgets of the console', async () => {
  // Otherwise React's development build would be measured.
  vi.stubEnv('NODE_ENV', 'production')
  const { figures } = await run()
  const of = (name: string) => figures[name] ?? Number.NaN
  expect(of('login JS KiB gz')).toBeLessThanOrEqual(BUDGET.loginJs)
  expect(of('login CSS KiB gz')).toBeLessThanOrEqual(BUDGET.loginCss)
  expect(of('login + shell JS KiB gz')).toBeLessThanOrEqual(BUDGET.shellJs)
  expect(of('device list own code (template and page)')).toBeLessThanOrEqual(BUDGET.routeJs)
}, 120_000)
