import { expect, it } from 'vitest'
import { withoutLast } from './device-items.ts'

it('drops the last items, whatever text they contain', () => {
  const item = (deviceId: number) => JSON.stringify({ deviceId, deviceName: ',{"deviceId":9,' })
  const all = [1, 2, 3, 4].map(item).join(',')
  const left = (dropped: number) =>
    (JSON.parse(`[${withoutLast(all, dropped)}]`) as { deviceId: number }[]).map((row) => row.deviceId)
  expect([left(0), left(1), left(3)]).toEqual([[1, 2, 3, 4], [1, 2, 3], [1]])
})
