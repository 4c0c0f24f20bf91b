import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AddressRefused, isPublicAddress, postOutbound, whyRefused, withoutAddress } from './outbound.ts'

let server: Server
let url = ''
let asked: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/slow') return
    if (request.url === '/switch')
      return void request.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      )
    if (request.url === '/moved') return void response.writeHead(302, { location: '/target' }).end()
    if (request.url === '/held') return void response.writeHead(202).write('so far')
    if (request.url === '/cut')
      return void response.writeHead(202).write('so far', () => request.socket.destroy())
    if (request.url === '/huge') return void response.end('x'.repeat(5_000_000))
    if (request.url?.startsWith('/hook/')) return void response.end(decodeURIComponent(request.url))
    response.end('ok')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const options = { headers: {}, body: '{}', timeoutMs: 1000, keepBytes: 100, allowPrivate: true }

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'ff02::1',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})
it.each(['1.1.1.1', '172.32.0.1', '8.8.8.8', '2606:4700:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

it.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'http://user:secret@example.com/',
  'http://localhost:8080/',
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://[::1]/',
  'http://[::ffff:7f00:1]/',
])('%s is refused before any request', async (address) => {
  expect(whyRefused(address, false)).not.toBeNull()
  await expect(postOutbound(address, { ...options, allowPrivate: false })).rejects.toBeInstanceOf(
    AddressRefused,
  )
})

it.each(['mqtt://2130706433', 'mqtt://0x7f.1:1883', 'mqtt://[::1]', 'mqtt://127.1'])(
  '%s is refused before any connection',
  (address) => {
    expect(whyRefused(address, false, ['mqtt:'])).not.toBeNull()
    expect(whyRefused(address, true, ['mqtt:'])).toBeNull()
  },
)

it('a name is checked by its address', async () => {
  // Every resolver knows this name without a DNS query.
  await expect(
    postOutbound('http://localhost.localdomain.localhost/', { ...options, allowPrivate: false }),
  ).rejects.toThrow()
})

it('a private address is reached if the installation allows it', async () => {
  expect(await postOutbound(`${url}/`, options)).toMatchObject({ status: 200, text: 'ok' })
  await expect(postOutbound(`${url}/`, { ...options, allowPrivate: false })).rejects.toBeInstanceOf(
    AddressRefused,
  )
})

it('redirects are not followed', async () => {
  asked = []
  expect((await postOutbound(`${url}/moved`, options)).status).toBe(302)
  expect(asked).toEqual(['/moved'])
})

it('only the beginning of a huge response is read, and there is a timeout', async () => {
  expect((await postOutbound(`${url}/huge`, options)).text).toHaveLength(100)
  await expect(postOutbound(`${url}/slow`, { ...options, timeoutMs: 200 })).rejects.toThrow()
})

it.each(['/held', '/cut'])(
  'a status counts, also if the rest of its response never comes: %s',
  async (path) => {
    const { status, text } = await postOutbound(url + path, options)
    expect([status, text]).toEqual([202, 'so far'])
  },
)
it('a response in another protocol counts as no response, without waiting', async () => {
  await expect(postOutbound(`${url}/switch`, { ...options, timeoutMs: 500 })).rejects.toThrow(
    'without an answer',
  )
})

describe('removing the address from a response', () => {
  const address = 'https://open.example/open-apis/bot/v2/hook/0f5a-11%20ee-99?token=s3cr3t-t0k3n'
  it.each([
    [
      'POST /open-apis/bot/v2/hook/0f5a-11%20ee-99?token=s3cr3t-t0k3n: no',
      'POST /…/bot/v2/hook/…?token=…: no',
    ],
    ['no bot "0f5a-11 ee-99"', 'no bot "…"'],
    ['no bot 0F5A-11 EE-99', 'no bot …'],
    ['cut off in the middle: 0f5a-11', 'cut off in the middle: …'],
    ['cut off in the middle: 0F5A-11', 'cut off in the middle: …'],
    ['{"ok":true}', '{"ok":true}'],
  ])('%s', (said, kept) => {
    expect(withoutAddress(said, address)).toBe(kept)
  })

  it('also removes a part that is cut off within a character', async () => {
    const secret = '钥'.repeat(12)
    const answer = (keepBytes: number) => postOutbound(`${url}/hook/${secret}`, { ...options, keepBytes })
    // The sixth of its characters has three bytes, of which one or two are kept.
    const before = Buffer.byteLength(`/hook/${'钥'.repeat(5)}`)
    for (const kept of [0, 1, 2]) expect((await answer(before + kept)).text).toBe('/hook/…')
  })
})
