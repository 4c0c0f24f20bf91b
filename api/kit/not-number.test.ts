import { expect, it } from 'vitest'
import { z } from 'zod'
import { notNumber } from './not-number.ts'

const number = z.coerce.number()
const body = z.object({
  needed: number,
  emptied: number.nullable(),
  low: number.min(0).optional(),
  forS: number.default(0),
  name: z.string(),
  rows: z.array(z.object({ address: number })).optional(),
  either: z.union([number, z.array(z.string())]).optional(),
  ids: z.union([z.array(number), z.string().transform((text) => text.split(','))]).optional(),
  limit: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('gone') }),
      z.object({ kind: z.literal('above'), value: number }),
    ])
    .optional(),
  picked: number.transform((n) => n + 1).optional(),
})

const well = { needed: 1, emptied: null, name: '' }

it.each([
  [{ low: ' ' }, 'low'],
  [{ low: '0x10' }, 'low'],
  [{ low: '0b1' }, 'low'],
  [{ low: 'Infinity' }, 'low'],
  [{ low: '1,5' }, 'low'],
  [{ low: ' -1.5E-3 ', forS: '+.5', needed: '7.' }, null],
  [{ low: [] }, 'low'],
  [{ low: true }, 'low'],
  [{ low: {} }, 'low'],
  [{ forS: [5] }, 'forS'],
  [{ rows: [{ address: 1 }, { address: '\t' }] }, 'rows.1.address'],
  [{ either: false }, 'either'],
  [{ ids: '1,2' }, null],
  [{ ids: [1, true] }, 'ids.1'],
  [{ limit: { kind: 'above', value: [] } }, 'limit.value'],
  [{ limit: { kind: 'gone' } }, null],
  [{ picked: [] }, 'picked'],
  [{ low: '5', forS: 1e3, name: ' ', rows: [{ address: '0' }], either: [] }, null],
  [{ low: '' }, 'low'],
  [{ low: null }, 'low'],
  [{ forS: null }, 'forS'],
])('of %j names %j', (given, path) => {
  const found = notNumber(body, { ...well, ...given })
  expect(found).toEqual(path === null ? null : { path, reason: 'number' })
})

it.each([
  [{ needed: '' }, 'needed'],
  [{ needed: null }, 'needed'],
  [{ emptied: '' }, 'emptied'],
  [{ rows: [{ address: null }] }, 'rows.0.address'],
])('of %j says that %j is required', (given, path) => {
  expect(notNumber(body, { ...well, ...given })).toEqual({ path, reason: 'required' })
})

it('leaves what is no object to the declaration', () => {
  expect(notNumber(body, 'text')).toBeNull()
})
