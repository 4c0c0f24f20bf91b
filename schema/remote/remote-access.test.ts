import { expect, it } from 'vitest'
import { isBehind, isLanAddress, targetOf } from './remote-access.ts'

it('allows private IPv4 addresses, and nothing that could be the platform or a name', () => {
  for (const text of ['192.168.1.10', '10.0.0.1', '172.16.0.9', '172.31.255.254', '100.64.3.2'])
    expect(isLanAddress(text), text).toBe(true)
  for (const text of [
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '172.32.0.1',
    '100.128.0.1',
    '8.8.8.8',
    '224.0.0.1',
    'localhost',
    'printer.lan',
    '192.168.1',
    '192.168.1.256',
    '192.168.1.010',
    '0xc0a80101',
    '3232235777',
    '192.168.1.1 ',
    '192.168.1.1@127.0.0.1',
    '::ffff:192.168.1.1',
    '',
  ])
    expect(isLanAddress(text), text).toBe(false)
})

it('leads to the device itself unless a machine in its LAN is meant', () => {
  expect(targetOf('terminal', 'http', '192.168.1.9')).toEqual({ scheme: 'ssh', host: '127.0.0.1', port: 22 })
  expect(targetOf('web', 'https', '192.168.1.9')).toEqual({ scheme: 'https', host: '127.0.0.1', port: 443 })
  expect(targetOf('lan', 'http', '192.168.1.9', 8080)).toEqual({
    scheme: 'http',
    host: '192.168.1.9',
    port: 8080,
  })
  expect(targetOf('forward', 'tcp')).toEqual({ scheme: 'tcp', host: '127.0.0.1', port: 22 })
  expect(isBehind(targetOf('forward', 'tcp', undefined, 502))).toBe(false)
  expect(isBehind(targetOf('forward', 'tcp', '192.168.1.9', 502))).toBe(true)
})
