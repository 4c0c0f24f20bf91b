import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { closeCodes } from '#schema/remote/forward-frame'
import { Audience } from './audience.ts'

/** A WebSocket whose other side takes nothing once it is frozen. */
class Line extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  frozen = false
  closedBy: number | null = null
  received = 0
  text = ''
  send(chunk: Buffer | string) {
    if (this.frozen) this.bufferedAmount += chunk.length
    else if (typeof chunk !== 'string') {
      this.received += chunk.length
      this.text += String(chunk)
    }
  }
  close(code: number) {
    this.closedBy = code
    this.readyState = 2
    this.emit('close')
  }
}
const watcher = (name: string) => ({ userId: 1, loginId: null, tokenId: null, name })

it('disconnects only watchers that do not read the output; the terminal never waits', () => {
  const audience = new Audience()
  const told: string[][] = []
  const stage = audience.begin({ columns: 80, rows: 24 }, (names) => told.push(names))
  const [slow, quick] = [new Line(), new Line()]
  audience.join(slow as never, watcher('slow'))
  audience.join(quick as never, watcher('quick'))
  slow.frozen = true
  const chunk = Buffer.alloc(64 * 1024)
  for (let i = 0; i < 40; i++) stage.output(chunk)
  expect(slow.closedBy).toBe(closeCodes.tooSlow)
  // One piece more than the limit at most was kept for them.
  expect(slow.bufferedAmount).toBeLessThanOrEqual(1024 * 1024 + 2 * chunk.length)
  expect(quick).toMatchObject({ closedBy: null, received: 40 * chunk.length })
  expect(told.at(-1)).toEqual(['quick'])
})

it('shows of several terminals the one that was typed in last, and another one when that ends', () => {
  const audience = new Audience()
  const told: Record<string, string[]> = {}
  const [first, second] = ['first', 'second'].map((name) => {
    const stage = audience.begin({ columns: 80, rows: 24 }, (names) => {
      told[name] = names
    })
    stage.output(Buffer.from(name))
    return stage
  })
  const line = new Line()
  audience.join(line as never, watcher('looker'))
  expect(line.text).toBe('second')
  expect(told).toEqual({ first: ['looker'], second: ['looker'] })
  first?.output(Buffer.from(' unseen'))
  first?.front()
  expect(line.text).toBe('second\x1bcfirst unseen')
  second?.output(Buffer.from(' hidden'))
  first?.end()
  expect(line.text).toBe('second\x1bcfirst unseen\x1bcsecond hidden')
  second?.end()
  first?.front()
  expect(line.text).toBe('second\x1bcfirst unseen\x1bcsecond hidden')
})
