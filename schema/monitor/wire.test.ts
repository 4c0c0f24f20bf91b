import { expect, it } from 'vitest'
import { readRegisters } from './commands/commissioning.ts'
import { planDocument, variablesReport } from './wire.ts'

const variable = { slot: 0, read: 0, at: 0, type: 'float32', order: 'ABCD', report: 'both', cycleMs: 5_000 }
const terminal = (changed: object) => ({
  t: 7,
  bus: 0,
  unit: 1,
  timeoutMs: 1_000,
  retries: 2,
  reads: [{ fn: 4, address: 0, count: 2, everyMs: 1_000 }],
  vars: [variable],
  ...changed,
})
const accepts = (changed: object) =>
  planDocument.safeParse({
    revision: 1,
    buses: [{ kind: 'tcp', host: '192.0.2.7', port: 502 }],
    terminals: [terminal(changed)],
  }).success

it('[§9] a slave ID is 0 to 255, a register address 0 to 65535, retries 0 to 5', () => {
  expect(accepts({})).toBe(true)
  for (const unit of [0, 255]) expect(accepts({ unit })).toBe(true)
  for (const unit of [-1, 256]) expect(accepts({ unit })).toBe(false)
  for (const retries of [0, 5]) expect(accepts({ retries })).toBe(true)
  for (const retries of [-1, 6]) expect(accepts({ retries })).toBe(false)
  const reads = (address: number) => [{ fn: 3, address, count: 1, everyMs: 1_000 }]
  for (const address of [0, 65_535]) expect(accepts({ reads: reads(address) })).toBe(true)
  for (const address of [-1, 65_536]) expect(accepts({ reads: reads(address) })).toBe(false)
})

it('a test reading may wait as long as the polls that it is a test of', () => {
  const request = { kind: 'own', unit: 1, table: 'holding', address: 0, count: 1 }
  const isRead = (timeoutMs: number) => readRegisters.args.safeParse({ ...request, timeoutMs }).success
  for (const timeoutMs of [49, 50, 30_000, 30_001]) expect(isRead(timeoutMs)).toBe(accepts({ timeoutMs }))
  expect(isRead(30_000)).toBe(true)
})

it('a value is a number, a text or null, and never NaN', () => {
  const report = (v: unknown[]) =>
    variablesReport.safeParse({ plan: 1, t: 7, at: 1_795_226_400_000, i: [0], v }).success
  for (const value of [230.5, '18446744073709551615', null]) expect(report([value])).toBe(true)
  for (const value of [Number.NaN, true, { n: 1 }]) expect(report([value])).toBe(false)
})
