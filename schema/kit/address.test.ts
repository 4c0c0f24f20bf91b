import { expect, it } from 'vitest'
import { networkOf } from './address.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0000:0000:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['no address', 'no address'],
  ['1:2:3', '1:2:3'],
  ['1::2::3', '1::2::3'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it('all addresses of one IPv6 network of 64 bits count as one, those of the next network as another', () => {
  const seen = new Set(
    Array.from({ length: 1000 }, (_, i) => networkOf(`2001:db8:5:6:${i.toString(16)}::${i}`)),
  )
  expect(seen).toEqual(new Set(['2001:db8:5:6::/64']))
  expect(networkOf('2001:db8:5:7::1')).not.toBe('2001:db8:5:6::/64')
})
