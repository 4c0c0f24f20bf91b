import { expect, it } from 'vitest'
import type { Cast } from './cast.ts'
import { CastFeed } from './cast-feed.ts'

/** A terminal that draws when told to. */
function slowScreen() {
  const waiting: { text: string; done: () => void }[] = []
  const shown = { text: '', size: '', most: 0 }
  const screen = {
    write: (text: string, done: () => void) => {
      waiting.push({ text, done })
      shown.most = Math.max(
        shown.most,
        waiting.reduce((sum, one) => sum + one.text.length, 0),
      )
    },
    resize: (columns: number, rows: number) => {
      shown.size = `${columns}x${rows}`
    },
  }
  const draw = () => {
    const next = waiting.shift()
    if (!next) return false
    shown.text = next.text.startsWith('\u001bc') ? next.text.slice(2) : shown.text + next.text
    next.done()
    return true
  }
  return {
    screen,
    shown,
    draw,
    drawAll: () => {
      while (draw());
    },
  }
}

/** One line of a kilobyte each second, and another size after a minute. */
function castOf(seconds: number): Cast {
  const events = Array.from({ length: seconds }, (_, n) => ({
    at: n + 1,
    code: 'o',
    text: `${n + 1}`.padEnd(1023, '.').concat('\n'),
  }))
  const size = { at: 60, code: 'r', text: '132x43' }
  return {
    columns: 80,
    rows: 24,
    events: [...events.slice(0, 60), size, ...events.slice(60)],
    lengthS: seconds,
  }
}
const lines = (text: string) => text.split('\n').length - 1

it('shows what was last asked for, with never more than a piece on its way, however often the position is moved meanwhile', () => {
  const { screen, shown, draw, drawAll } = slowScreen()
  const feed = new CastFeed(castOf(20_000), screen)
  for (let second = 20_000; second >= 10_000; second -= 50) {
    feed.showTo(second)
    draw()
  }
  drawAll()
  expect(lines(shown.text)).toBe(10_000)
  expect(shown.most).toBeLessThan(300 * 1024)
  expect(feed.nextS).toBe(10_001)
})

it('changes the size where it was changed, also on the way back', () => {
  const { screen, shown, drawAll } = slowScreen()
  const feed = new CastFeed(castOf(90), screen)
  feed.showTo(90)
  drawAll()
  expect([lines(shown.text), shown.size, feed.nextS]).toEqual([90, '132x43', null])
  feed.showTo(59.9)
  drawAll()
  expect([lines(shown.text), shown.size]).toEqual([59, '80x24'])
})

it('writes nothing where nothing was shown in between', () => {
  const { screen, shown, drawAll } = slowScreen()
  const feed = new CastFeed(castOf(10), screen)
  feed.showTo(5.9)
  drawAll()
  feed.showTo(5.1)
  expect(lines(shown.text)).toBe(5)
  expect(feed.nextS).toBe(6)
})
