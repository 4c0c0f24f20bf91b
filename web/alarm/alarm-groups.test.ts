import { expect, it } from 'vitest'
import { groupAlarms } from './alarm-groups.ts'

const row = (id: number, more: Partial<Parameters<typeof groupAlarms>[0][number]> = {}) => ({
  id,
  deviceId: id,
  taskId: null,
  sn: `SN-${id}`,
  deviceName: 'Router',
  ruleId: 1,
  ruleName: 'Offline',
  customerName: 'Acme',
  ...more,
})
const shown = (rows: ReturnType<typeof row>[], by: string) =>
  groupAlarms(rows, by, ({ ruleName }) => ruleName || 'No rule').map(({ title, rows }) => [
    title,
    rows.map(({ id }) => id),
  ])

it('alarms of two devices with the same name are two groups', () => {
  const rows = [row(1), row(2), row(3, { deviceId: 1, sn: 'SN-1' }), row(4, { deviceName: 'Other' })]
  expect(shown(rows, 'device')).toEqual([
    ['Router · SN-1', [1, 3]],
    ['Router · SN-2', [2]],
    ['Other', [4]],
  ])
})

it('a device that was renamed meanwhile is one group, under its newest name', () => {
  expect(shown([row(1, { deviceName: 'New' }), row(2, { deviceId: 1 })], 'device')).toEqual([['New', [1, 2]]])
})

it('rules of two customers with the same name are two groups, and so are tasks', () => {
  const rows = [
    row(1),
    row(2, { ruleId: 2, customerName: 'Bolt' }),
    row(3, { ruleId: null, ruleName: '', deviceId: null, taskId: 7 }),
    row(4, { ruleId: null, ruleName: '', deviceId: null, taskId: 8 }),
  ]
  expect(shown(rows, 'rule')).toEqual([
    ['Offline · Acme', [1]],
    ['Offline · Bolt', [2]],
    ['No rule', [3, 4]],
  ])
  expect(shown(rows, 'device').map(([, ids]) => ids)).toEqual([[1], [2], [3], [4]])
})

it('without grouping there is one group without a title', () => {
  expect(shown([row(1), row(2)], 'none')).toEqual([['', [1, 2]]])
})
