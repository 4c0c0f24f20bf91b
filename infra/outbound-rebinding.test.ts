/** A name server that lies: returns a public address for the check, and a private one for the connection. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

type Found = { address: string; family: 4 | 6 }
const told = vi.hoisted(() => ({ answers: [] as Found[][], asked: 0 }))
vi.mock('node:dns', async (original) => ({
  ...(await original<typeof import('node:dns')>()),
  lookup: ((_name, _options, answer) =>
    answer(null, told.answers[Math.min(told.asked++, told.answers.length - 1)] ?? [])) as LookupFunction,
}))
const { AddressRefused, postOutbound } = await import('./outbound.ts')

let server: Server
let port = 0
let served = 0
beforeAll(async () => {
  server = createServer((_request, response) => {
    served++
    response.end('inside')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())
beforeEach(() => {
  served = told.asked = 0
})

const post = (allowPrivate = false, name = 'hook.example.test') =>
  postOutbound(`http://${name}:${port}/`, {
    headers: {},
    body: '{}',
    timeoutMs: 500,
    keepBytes: 100,
    allowPrivate,
  })
const at = (...addresses: string[]): Found[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

it('a name is resolved once: later answers of the name server have no effect', async () => {
  // Public, and without a server.
  told.answers = [at('198.17.255.254'), at('127.0.0.1')]
  await expect(post()).rejects.toThrow()
  expect(told.asked).toBe(1)
  expect(served).toBe(0)
  // Without the check the attack would have worked: that server responds to any request.
  expect(await post(true)).toMatchObject({ status: 200, text: 'inside' })
})

it.each([
  [['127.0.0.1']],
  [['198.17.255.254', '127.0.0.1']],
  [['2606:4700:4700::1111', '::1']],
  [['::ffff:127.0.0.1']],
  [['0.0.0.0']],
  [['::']],
  [['64:ff9b::7f00:1']],
  [['2002:7f00:1::']],
  [['fe80::1%lo']],
])('a name that is %j is refused before anything is sent', async (addresses) => {
  told.answers = [at(...addresses)]
  await expect(post()).rejects.toBeInstanceOf(AddressRefused)
  expect(served).toBe(0)
})

it.each([
  '127.0.0.1.',
  '0177.0.0.1',
  '127.1',
  '0',
  '①②⑦.⓪.⓪.①',
  '[::ffff:7f00:1]',
  'LOCALHOST.',
  'a.localhost',
])('%s is refused without a DNS query', async (name) => {
  told.answers = [at('127.0.0.1')]
  await expect(post(false, name)).rejects.toBeInstanceOf(AddressRefused)
  expect(told.asked).toBe(0)
  expect(served).toBe(0)
})
