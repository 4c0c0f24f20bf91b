import { expect, it } from 'vitest'
import { openMetrics } from '#infra/metrics'
import { testContext } from '#test/harness'
import { openCallMetrics } from './metrics.ts'

const context = await testContext()

it('without the database serves those of the process, and none of the installation: no device counts as offline', async () => {
  let isAway = false
  const sql = ((...given: Parameters<typeof context.sql>) =>
    isAway ? Promise.reject(new Error('connection refused')) : context.sql(...given)) as typeof context.sql
  const metrics = openCallMetrics({ ...context, sql, metrics: openMetrics('test') })
  metrics.answered('device/getDeviceList', 0, 0.1)
  const online = /^iot_devices_online\{room="test"\} (\d+)$/m
  expect(online.exec(await metrics.scrape())?.[1]).toBe('0')
  isAway = true
  const text = await metrics.scrape()
  expect(text).toContain('iot_call_duration_seconds_count{')
  expect(text).not.toMatch(online)
  isAway = false
  expect(await metrics.scrape()).toMatch(online)
})
