import { expect, it } from 'vitest'
import { unpackConfig } from './config-restore.ts'
import { packTarGz } from './tar-gz.ts'

it.each([
  ['of 99 bytes', 99],
  ['of 100 bytes', 100],
  ['of 101 bytes', 101],
  ['of 600 bytes', 600],
])('a path %s stays whole', (_, length) => {
  const path = `etc/${'d'.repeat(60)}/`.padEnd(length, 'f')
  const others = [
    { path: 'etc/before', text: 'before' },
    { path, text: 'content' },
    { path: 'etc/after', text: '' },
  ]
  expect(unpackConfig(packTarGz(others, 0))).toEqual([
    { path: '/etc/before', text: 'before' },
    { path: `/${path}`, text: 'content' },
    { path: '/etc/after', text: '' },
  ])
})

it('a path in Chinese stays whole', () => {
  const path = `etc/${'证'.repeat(50)}.crt`
  expect(unpackConfig(packTarGz([{ path, text: 'x' }], 0))).toEqual([{ path: `/${path}`, text: 'x' }])
})
