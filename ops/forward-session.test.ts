import { expect, it } from 'vitest'
import { targetOf } from './forward-session.ts'

it('a target is a port, or an address and a port', () => {
  expect(targetOf('502')).toEqual({ port: 502 })
  expect(targetOf('192.168.1.10:65535')).toEqual({ host: '192.168.1.10', port: 65_535 })
})

it.each(['', 'router', '10.0.0.1:', '10.0.0.1:0', '10.0.0.1:65536', '1e3'])(
  'what is none names what is expected: %s',
  (text) => {
    expect(() => targetOf(text)).toThrow('is no port (1 to 65535)')
  },
)
