import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { expectNothingLeft } from './after-file.ts'

it('a server that a file left open is named, and a closed one is not', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  await expect(expectNothingLeft(50)).rejects.toThrow('the file left open: TCPServerWrap')
  server.close()
  await once(server, 'close')
  await expectNothingLeft()
})
