/** What people send to the web page of a simulated device must not end the process, which all devices share. */
import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import { expect, it } from 'vitest'
import type { Part } from '../world.ts'
import { servePage } from './page.ts'

const part = {
  power: new AbortController().signal,
  settings: { get: () => null },
  config: { doc: {} },
  note: () => undefined,
} as unknown as Part

it('a malformed frame ends its WebSocket only', async () => {
  const [stream, far] = duplexPair()
  servePage(part, far)
  const cookie = await new Promise<string>((done) => {
    stream.once('data', (chunk: Buffer) => done(/sysauth_http=[\w-]+/.exec(String(chunk))?.[0] ?? ''))
    stream.write(
      'POST /cgi-bin/luci HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 32\r\n\r\nluci_username=root&luci_password',
    )
  })
  const head = 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13'
  stream.write(
    `GET /cgi-bin/luci/live HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n${head}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  )
  await once(stream, 'data')
  // A frame with reserved bits [RFC 6455 5.2].
  stream.write(Buffer.from([0xf1, 0x80, 0, 0, 0, 0]))
  const [answer] = (await once(stream, 'data')) as [Buffer]
  // It is told that its WebSocket is closed.
  expect(answer[0]).toBe(0x88)
})
