import { expect, it } from 'vitest'
import { zoomed, zoomOf, zoomText } from './report-zoom.ts'

const at = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']

it('the times in the address are the same buckets again', () => {
  expect(zoomText(at, [1, 3])).toBe('2026-11-02~2026-11-04')
  expect(zoomOf(at, '2026-11-02~2026-11-04')).toEqual([1, 3])
  expect(zoomText(at, null)).toBeNull()
  expect(zoomed(at, [1, 2])).toEqual(['2026-11-02', '2026-11-03'])
})

it('another range shows everything', () => {
  for (const text of ['', 'x', '2026-10-01~2026-11-02', '2026-11-03~2026-11-02', '2026-11-03~2026-11-03'])
    expect(zoomOf(at, text)).toBeNull()
})
