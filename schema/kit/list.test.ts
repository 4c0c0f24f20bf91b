import { expect, it } from 'vitest'
import { z } from 'zod'
import { getMonitorStatus } from '../monitor/monitor-status.ts'
import { factsOf } from './field.ts'
import { listCall, SEARCH_MAX } from './list.ts'

const declared = (filters: z.ZodRawShape) =>
  listCall({
    path: '/api/test/list',
    permission: 'login',
    summary: 'A list.',
    sorts: ['name'],
    row: z.object({ name: z.string() }),
    filters,
  })

it('returns the defaults of its filters', () => {
  const days = z.coerce.number().int().min(1).default(7)
  expect(declared({ days, state: z.enum(['on', 'off']).optional() }).presets).toEqual({ days: '7' })
  expect(getMonitorStatus.presets).toEqual({ days: '7' })
})

it('has none without defaults', () => {
  expect(declared({ id: z.coerce.number() }).presets).toBeUndefined()
})

it('searches for at most as many characters as its field takes, which has a label', () => {
  const { search } = listCall({
    path: '/api/test/found',
    permission: 'login',
    summary: 'A list.',
    sorts: ['name'],
    searches: ['name'],
    row: z.object({ name: z.string() }),
  }).body.shape
  expect(search.safeParse('x'.repeat(SEARCH_MAX)).success).toBe(true)
  expect(search.safeParse('x'.repeat(SEARCH_MAX + 1)).success).toBe(false)
  expect(factsOf(search)?.label).toBe('list:search')
})
