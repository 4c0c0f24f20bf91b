/** A time or a day in a body is one that PostgreSQL can store: it knows no year 0, and writes those after 9999 in another way. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { gatherDeclared } from '#infra/gather'
import { isCall } from '#schema/kit/call'
import { askedTime } from '#schema/kit/time'
import { leavesIn } from './body-leaves.ts'

const leaves = (await gatherDeclared(isCall)).flatMap(({ name, body }) => [...leavesIn(body, name)])

it.each([
  ['time', z.ZodISODateTime, ['0000-06-01T00:00:00Z', '9999-12-31T23:59:59-14:00']],
  ['day', z.ZodISODate, ['0000-06-01', '9999-12-31']],
])('every %s in a body has bounds', (_, kind, beyond) => {
  const asked = leaves.filter(([, schema]) => schema instanceof kind)
  const boundless = asked.filter(([, schema]) => beyond.some((text) => schema.safeParse(text).success))
  expect(asked.length).toBeGreaterThan(4)
  expect(boundless.map(([path]) => path)).toEqual([])
})

it('a time in a zone far from UTC is the time in UTC', () => {
  const times = leaves.filter(([, schema]) => schema instanceof z.ZodISODateTime)
  for (const [path, schema] of times)
    expect([path, schema.parse('2026-01-01T00:00:00+23:59')]).toEqual([path, '2025-12-31T00:01:00.000Z'])
  expect(askedTime.safeParse('soon').success).toBe(false)
})
