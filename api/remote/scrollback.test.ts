import { expect, it } from 'vitest'
import { Scrollback } from './scrollback.ts'

const text = (kept: Scrollback, position: number) => {
  const { at, bytes } = kept.since(position)
  return [at, String(bytes)]
}

it('has everything from a position that it still knows', () => {
  const kept = new Scrollback(16)
  expect(text(kept, 0)).toEqual([0, ''])
  kept.keep(Buffer.from('hello '))
  kept.keep(Buffer.from('world'))
  expect(text(kept, 0)).toEqual([0, 'hello world'])
  expect(text(kept, 6)).toEqual([6, 'world'])
  expect(text(kept, 11)).toEqual([11, ''])
})

it('keeps the last bytes only, in whatever pieces they come', () => {
  for (const piece of [1, 3, 7, 16, 40]) {
    const kept = new Scrollback(16)
    const all = Array.from({ length: 200 }, (_, i) => String.fromCharCode(97 + (i % 26))).join('')
    for (let at = 0; at < all.length; at += piece) kept.keep(Buffer.from(all.slice(at, at + piece)))
    expect(kept.total).toBe(200)
    expect(text(kept, 0)).toEqual([184, all.slice(184)])
    expect(text(kept, 190)).toEqual([190, all.slice(190)])
  }
})

it('begins with a whole line where the older ones are gone, and again for a position that never was', () => {
  const kept = new Scrollback(12)
  kept.keep(Buffer.from('first line\nsecond\nthird'))
  expect(text(kept, 0)).toEqual([11 + 7, 'third'])
  expect(text(kept, 99)).toEqual([11 + 7, 'third'])
})
