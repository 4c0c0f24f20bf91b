import { expect, it } from 'vitest'
import { isHostAddress, isIpv6, isSsid } from './network-rules.ts'

it.each(['::', '::1', '2001:db8::1', '2001:db8:0:0:0:0:0:1', '1::', '::ffff:192.0.2.1', 'fe80::1:2:3'])(
  '%s is an IPv6 address',
  (text) => {
    expect(isIpv6(text)).toBe(true)
  },
)

it.each([
  '',
  ':',
  ':::',
  '1:2',
  '1::2::3',
  '12345::',
  '1:2:3:4:5:6:7:8:9',
  '192.0.2.1',
  '192.0.2.1::',
  'g::1',
])('"%s" is none', (text) => {
  expect(isIpv6(text)).toBe(false)
})

it('a host has neither the address of its network nor that of the broadcast, but both of a /31', () => {
  expect(['10.0.0.0', '10.0.0.1', '10.0.0.255'].map((one) => isHostAddress(one, 24))).toEqual([
    false,
    true,
    false,
  ])
  expect(isHostAddress('10.0.0.0', 31)).toBe(true)
  expect(['0.0.0.1', '127.0.0.1', '224.0.0.1', '256.0.0.1'].some((one) => isHostAddress(one))).toBe(false)
})

it('the name of a radio network is one line of at most 32 bytes', () => {
  expect(
    ['Mall', ' Mall ', '店'.repeat(10), '', '店'.repeat(11), 'Mall\nwpa=0', 'Mall\r'].map(isSsid),
  ).toEqual([true, true, true, false, false, false, false])
})
