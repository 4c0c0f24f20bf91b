import { expect, it } from 'vitest'
import { allowsTarget, isTargetPolicy } from './remote-targets.ts'

const at = (host: string, port = 80) => ({ host, port })

it('without a policy any machine of a LAN is reached, and nothing else', () => {
  for (const policy of [null, '', ' \n '])
    for (const [host, may] of [
      ['192.168.1.10', true],
      ['10.1.2.3', true],
      ['127.0.0.1', false],
      ['169.254.169.254', false],
      ['8.8.8.8', false],
      ['localhost', false],
    ] as const)
      expect(allowsTarget(policy, at(host)), host).toBe(may)
})

it('a policy names machines, networks and ports', () => {
  const policy = '192.168.1.0/24:80,443,8000-8100\n10.0.0.7\n 172.16.0.0/12:502 '
  expect(isTargetPolicy(policy)).toBe(true)
  for (const [host, port, may] of [
    ['192.168.1.10', 80, true],
    ['192.168.1.255', 8100, true],
    ['192.168.1.10', 8101, false],
    ['192.168.1.10', 22, false],
    ['192.168.2.10', 80, false],
    ['10.0.0.7', 22, true],
    ['10.0.0.8', 22, false],
    ['172.31.255.254', 502, true],
    ['172.31.255.254', 503, false],
  ] as const)
    expect(allowsTarget(policy, at(host, port)), `${host}:${port}`).toBe(may)
  expect(allowsTarget('none', at('192.168.1.10'))).toBe(false)
})

it('takes nothing that could mean more than it says', () => {
  expect(isTargetPolicy('')).toBe(true)
  expect(isTargetPolicy('none')).toBe(true)
  for (const text of [
    '127.0.0.1',
    '0.0.0.0/0',
    '10.0.0.0/7',
    '172.16.0.0/11',
    '192.168.0.0/15',
    '100.64.0.0/9',
    '8.8.8.8',
    'printer.lan',
    '192.168.1.0/33',
    '192.168.1.10:0',
    '192.168.1.10:70000',
    '192.168.1.10:90-80',
    '192.168.1.10:',
    '192.168.1.10 80',
    'none\n10.0.0.1',
    Array.from({ length: 51 }, () => '10.0.0.1').join('\n'),
  ])
    expect(isTargetPolicy(text), text).toBe(false)
})
