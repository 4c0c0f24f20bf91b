import { expect, it } from 'vitest'
import { z } from 'zod'
import { getMonitorStatus } from '../monitor/monitor-status.ts'
import { listCall } from './list.ts'

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
