import { expect, it } from 'vitest'
import { z } from 'zod'
import { notNumber } from './not-number.ts'

const number = z.coerce.number()
const body = z.object({
  low: number.min(0).optional(),
  forS: number.default(0),
  name: z.string(),
  rows: z.array(z.object({ address: number })).optional(),
  either: z.union([number, z.array(z.string())]).optional(),
  picked: number.transform((n) => n + 1).optional(),
})

it.each([
  [{ low: ' ' }, 'low'],
  [{ low: [] }, 'low'],
  [{ low: true }, 'low'],
  [{ low: {} }, 'low'],
  [{ forS: [5] }, 'forS'],
  [{ rows: [{ address: 1 }, { address: '\t' }] }, 'rows.1.address'],
  [{ either: false }, null],
  [{ picked: [] }, 'picked'],
  [{ low: '5', forS: 1e3, name: ' ', rows: [{ address: '0' }], either: [] }, null],
  [{ low: '', forS: null }, null],
  ['text', null],
])('of %j names %j', (given, path) => {
  expect(notNumber(body, given)).toBe(path)
})
