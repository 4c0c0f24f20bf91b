import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { afterFile, closeAll, expectNothingLeft, openNow } from './after-file.ts'

async function listen() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    server.close()
    await once(server, 'close')
  }
}

it('a server that a file left open is named, and a closed one is not', async () => {
  const before = openNow()
  const close = await listen()
  await expect(expectNothingLeft(before, 50)).rejects.toThrow('the file left open: TCPServerWrap')
  await close()
  await expectNothingLeft(before)
})

it('what an earlier file left open is not reported for a later one', async () => {
  const ofEarlier = await listen()
  const before = openNow()
  await expectNothingLeft(before, 50)
  const close = await listen()
  await expect(expectNothingLeft(before, 50)).rejects.toThrow(/^the file left open: TCPServerWrap$/)
  await close()
  await ofEarlier()
})

it('names what does not end, and closes the rest', async () => {
  const closed: string[] = []
  afterFile(() => closed.push('the first'))
  afterFile(() => new Promise(() => 'hangs'))
  await expect(closeAll(50)).rejects.toThrow(/closing with .*hangs.*: no answer for 0.05 s/)
  expect(closed).toEqual(['the first'])
})
