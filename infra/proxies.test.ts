import { BlockList } from 'node:net'
import { expect, it } from 'vitest'
import { clientOf, isLoopback, readProxies } from './proxies.ts'

const list = (text: string) => readProxies(text) ?? new BlockList()

it.each([
  ['', '127.0.0.1', '1.1.1.1', '127.0.0.1'],
  ['loopback', '127.0.0.1', '9.9.9.9, 1.1.1.1', '1.1.1.1'],
  ['loopback', '::ffff:127.0.0.1', '1.1.1.1', '1.1.1.1'],
  ['loopback', '::1', '2001:db8::1', '2001:db8::1'],
  ['loopback', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
  ['loopback, 10.0.0.0/8', '127.0.0.1', '6.6.6.6, 1.1.1.1, 10.2.3.4', '1.1.1.1'],
  ['2001:db8::/32', '2001:db8::7', '1.1.1.1', '1.1.1.1'],
  ['loopback', '127.0.0.1', '198.51.100.7:40122', '198.51.100.7'],
  ['loopback', '127.0.0.1', '[2001:db8::7]:40122', '2001:db8::7'],
  ['loopback', '127.0.0.1', '2001:db8::7', '2001:db8::7'],
  ['loopback', '127.0.0.1', undefined, '127.0.0.1'],
  ['loopback', '127.0.0.1', '1.1.1.1, <script>', '127.0.0.1'],
])('of "%s" the peer %s that names %s speaks for %s', (trusted, peer, named, client) => {
  expect(clientOf(list(trusted), peer, named)).toBe(client)
})

it.each(['localhost', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '::/129', '*'])(
  '"%s" is no list of proxies',
  (text) => {
    expect(readProxies(text)).toBeNull()
  },
)

it('recognises this machine by each of its addresses', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '10.0.0.1', ''].map(isLoopback)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ])
})
