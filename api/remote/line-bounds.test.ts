/** A connection whose peer does not read: what is held for it is bounded. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { awaitLine, boundReplies, countAsks, UNSENT_MAX } from './line-bounds.ts'

const opened: Socket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})

/** Both ends; nothing is read at `far`. */
async function line(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [near] = (await once(server, 'connection')) as [Socket]
  server.close()
  for (const socket of [near, far]) opened.push(socket.on('error', () => undefined))
  far.pause()
  return { near, far }
}

it('is closed when the peer asks on and does not read the replies', async () => {
  const { near, far } = await line()
  const reply = Buffer.alloc(256 * 1024)
  let most = 0
  near.on('data', () => {
    near.write(reply)
    most = Math.max(most, near.writableLength)
  })
  boundReplies(near, () => near.destroy())
  const flood = setInterval(() => far.destroyed || far.write('ask'), 1)
  await once(near, 'close')
  clearInterval(flood)
  expect(most).toBeLessThanOrEqual(UNSENT_MAX + 2 * reply.length)
})

it('is not closed when the peer reads late, and asks on then', async () => {
  const { near, far } = await line()
  const drop = vi.fn()
  boundReplies(near, drop)
  near.write(Buffer.alloc(2 * UNSENT_MAX))
  await sleep(50)
  far.resume()
  await once(near, 'drain')
  far.write('ask')
  await once(near, 'data')
  expect(drop).not.toHaveBeenCalled()
})

it('makes its channels wait, all of them, and releases them when it drains or closes', async () => {
  for (const how of ['drains', 'closes'] as const) {
    const { near, far } = await line()
    const channels = Array.from({ length: 20 }, () => {
      const channel = new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          if (!near.destroyed) near.write(chunk)
          done()
        },
      })
      awaitLine(channel, near)
      return channel
    })
    let taken = 0
    for (const channel of channels) {
      const next = () => {
        taken += 65_536
        if (taken < 60_000_000) channel.write(Buffer.alloc(65_536), next)
      }
      next()
    }
    await sleep(200)
    expect(near.writableLength, how).toBeLessThan(UNSENT_MAX / 4)
    expect(taken, how).toBeLessThan(30_000_000)
    if (how === 'drains') far.resume()
    else near.destroy()
    await expect.poll(() => taken).toBeGreaterThanOrEqual(60_000_000)
    // A channel that is closed while it waits leaves nothing behind; others may still wait when the last bytes are taken.
    await expect.poll(() => near.listenerCount('drain')).toBeLessThanOrEqual(2)
  }
})

it('counts what is asked for within a while', async () => {
  const isTooMuch = countAsks(2, 50)
  expect([isTooMuch(), isTooMuch(), isTooMuch()]).toEqual([false, false, true])
  await sleep(60)
  expect(isTooMuch()).toBe(false)
})
