import { expect, it } from 'vitest'
import { readSettings } from '../env.ts'
import { ownAddress } from './own-address.ts'

it.each([
  ['', '127.0.0.1', 'http://localhost:8080'],
  ['0.0.0.0', '127.0.0.1', 'http://localhost:8080'],
  ['::', '127.0.0.1', 'http://localhost:8080'],
  ['127.0.0.1', '127.0.0.1', 'http://localhost:8080'],
  ['::1', '[::1]', 'http://localhost:8080'],
  ['192.168.1.5', '192.168.1.5', 'http://192.168.1.5:8080'],
  ['fd00::5', '[fd00::5]', 'http://[fd00::5]:8080'],
])('a server on %j is reached at %s', (host, address, url) => {
  expect(ownAddress(host)).toBe(address)
  expect(readSettings({ HTTP_HOST: host, JWT_SECRET: 'x'.repeat(32) }).PUBLIC_URL).toBe(url)
})
