/** Debian's n2n: edges in networks of their own join by the command that the console shows, and reach each other. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#infra/embedded-postgres'
import { edgeCommand } from '#schema/group/edge-command'
import { until } from './until.ts'

const needed = ['/usr/bin/supernode', '/usr/sbin/edge', '/usr/bin/busybox', '/dev/net/tun']
const missing = needed.filter((path) => !existsSync(path))
const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' })
const name = `n2n${process.pid % 100_000}`
const nets = [`${name}a`, `${name}b`] as const
const clear = () => {
  for (const link of [name, ...nets.map((net) => `${net}0`)]) ip('link', 'del', link)
  for (const net of nets) ip('netns', 'del', net)
}
/** Not in every container. */
const mayName = () => {
  const made =
    ip('netns', 'add', nets[0]).status === 0 && ip('link', 'add', name, 'type', 'bridge').status === 0
  clear()
  return made
}
const reason = missing.length > 0 ? `no ${missing.join(', ')}` : mayName() ? null : 'no network namespaces'
if (reason) process.stderr.write(`SKIPPED: edges of n2n (${reason})\n`)

const isReached = (net: string, address: string) =>
  ip('netns', 'exec', net, 'busybox', 'ping', '-c', '1', '-W', '1', address).status === 0

const children: ChildProcess[] = []
const keep = (child: ChildProcess) => children.push(child)
/** Networks for measurements (RFC 2544), which no machine should have of its own. */
const SUPERNODE = '198.18.6.1'
const ADDRESSES = ['198.18.7.1', '198.18.7.2'] as const

describe.skipIf(reason !== null)('an edge of n2n 1', () => {
  beforeAll(async () => {
    const port = await freePort()
    ip('link', 'add', name, 'type', 'bridge')
    ip('addr', 'add', `${SUPERNODE}/24`, 'dev', name)
    ip('link', 'set', name, 'up')
    keep(spawn('/usr/bin/supernode', ['-l', String(port)], { stdio: 'ignore' }))
    for (const [i, net] of nets.entries()) {
      ip('netns', 'add', net)
      ip('link', 'add', `${net}0`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', net)
      ip('link', 'set', `${net}0`, 'master', name, 'up')
      ip('-n', net, 'addr', 'add', `198.18.6.${i + 2}/24`, 'dev', 'eth0')
      ip('-n', net, 'link', 'set', 'eth0', 'up')
    }
    // An edge whose first registration is lost tries again after a minute.
    for (const net of nets) await until('the supernode is reached', () => isReached(net, SUPERNODE), 20_000)
    for (const [i, net] of nets.entries()) {
      const command = edgeCommand({
        account: 'branch1',
        password: "it's secret",
        bridged: false,
        supernode: `${SUPERNODE}:${port}`,
        version: 1,
      }).replace('ADDRESS', ADDRESSES[i] ?? '')
      keep(spawn('ip', ['netns', 'exec', net, 'sh', '-c', `exec ${command}`], { stdio: 'ignore' }))
    }
  }, 60_000)
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    if (reason === null) clear()
  })

  it('joins by the command that the console shows, and reaches the others', async () => {
    const [first] = nets
    const other = () => isReached(first, ADDRESSES[1])
    await until('the other edge answers', other, 30_000, 500)
    expect(other()).toBe(true)
  }, 60_000)
})
