import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { importDevices } from '#schema/device/device'
import { getTemplateVariables, saveVariables } from '#schema/monitor/variable'
import { getVariableHistory } from '#schema/monitor/variable-history'
import { getTrafficReport } from '#schema/report/traffic-report'
import { apiTest } from '#test/api-client'
import { openTurns } from './turns.ts'

it('of one user two run at a time, in the order of calling; others do not wait', async () => {
  const turns = openTurns(2)
  const begun: string[] = []
  const enter = async (userId: number, name: string) => {
    const end = await turns.enter(userId)
    begun.push(name)
    return end
  }
  const [first, second] = [await enter(1, 'first'), await enter(1, 'second')]
  const third = enter(1, 'third')
  const fourth = enter(1, 'fourth')
  await enter(2, 'of another')
  expect(begun).toEqual(['first', 'second', 'of another'])
  second()
  ;(await third)()
  ;(await fourth)()
  first()
  expect(begun).toEqual(['first', 'second', 'of another', 'third', 'fourth'])
  const again = await Promise.all([enter(1, 'fifth'), enter(1, 'sixth')])
  for (const end of again) end()
})

it('calls that many can make at once to the cost of all are heavy', () => {
  const calls = [getVariableHistory, getTrafficReport, saveVariables, importDevices, getTemplateVariables]
  expect(calls.map(({ heavy }) => heavy)).toEqual([true, true, true, true, false])
})

it('a call of another user is answered while heavy ones wait for their turn', async () => {
  const { context, call, tenants } = await apiTest()
  const body = { range: '7d', zone: 'UTC' }
  const done: string[] = []
  let waiting: Promise<unknown>[] = []
  await context.sql.begin(async (tx) => {
    // Reports read it, so that those that have begun wait here.
    await tx`lock table rollup_cursors in access exclusive mode`
    waiting = Array.from({ length: 6 }, () =>
      call(getTrafficReport.name, body, tenants.a.admin).then(({ code }) => done.push(`report ${code}`)),
    )
    await sleep(300)
    // More reports than the connections that they would take.
    expect((await call('alarm/getAlarmCount', {}, tenants.b.admin)).code).toBe(0)
    expect(done).toEqual([])
  })
  await Promise.all(waiting)
  expect(done).toEqual(Array.from({ length: 6 }, () => 'report 0'))
})
