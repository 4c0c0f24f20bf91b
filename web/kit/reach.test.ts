import { expect, it } from 'vitest'
import { mosquittoOptions } from './reach.ts'

it('the options of mosquitto name host and port, an IPv6 address without its brackets', () => {
  expect(mosquittoOptions({ plain: 'iot.example.com:1883', tls: null })).toBe('-h iot.example.com -p 1883')
  expect(mosquittoOptions({ plain: '[2001:db8::7]:1883', tls: null })).toBe('-h 2001:db8::7 -p 1883')
  expect(mosquittoOptions({ plain: null, tls: null })).toBeNull()
})
