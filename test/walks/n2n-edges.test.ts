/**
 * Debian's n2n: edges in networks of their own join by the command that the console shows, and reach each other. Nothing changes in
 * the network of this machine: browsers break off their requests when an interface appears.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { edgeCommand } from '#schema/group/edge-command'
import { n2nPrograms } from '../programs/unpacked.ts'
import { until } from './until.ts'

const needed = [n2nPrograms.supernode, n2nPrograms.edge, '/usr/bin/busybox', '/dev/net/tun']
const missing = needed.filter((path) => !existsSync(path))
const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' }).status === 0
const name = `n2n${process.pid % 100_000}`
const hub = `${name}hub`
const nets = [`${name}a`, `${name}b`] as const
const PORT = 9001
const SUPERNODE = '198.18.6.1'
const ADDRESSES = ['198.18.7.1', '198.18.7.2'] as const

const clear = () => {
  for (const net of [hub, ...nets]) ip('netns', 'del', net)
}
/** Not in every container. */
function mayConnect(): boolean {
  const made = ip('netns', 'add', hub) && ip('-n', hub, 'link', 'add', 'br0', 'type', 'bridge')
  clear()
  return made
}
const reason = missing.length > 0 ? `no ${missing.join(', ')}` : mayConnect() ? null : 'no network namespaces'
if (reason) process.stderr.write(`SKIPPED: edges of n2n (${reason})\n`)

const isReached = (net: string, address: string) =>
  ip('netns', 'exec', net, 'busybox', 'ping', '-c', '1', '-W', '1', address)

const children: ChildProcess[] = []
const env = { ...process.env, PATH: `${dirname(n2nPrograms.edge)}:${process.env['PATH']}` }
const run = (net: string, ...command: string[]) =>
  children.push(spawn('ip', ['netns', 'exec', net, ...command], { env, stdio: 'ignore' }))

describe.skipIf(reason !== null)('an edge of n2n 1', () => {
  beforeAll(async () => {
    ip('netns', 'add', hub)
    ip('-n', hub, 'link', 'add', 'br0', 'type', 'bridge')
    ip('-n', hub, 'addr', 'add', `${SUPERNODE}/24`, 'dev', 'br0')
    ip('-n', hub, 'link', 'set', 'br0', 'up')
    run(hub, n2nPrograms.supernode, '-l', String(PORT))
    for (const [i, net] of nets.entries()) {
      ip('netns', 'add', net)
      ip('-n', hub, 'link', 'add', `port${i}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', net)
      ip('-n', hub, 'link', 'set', `port${i}`, 'master', 'br0', 'up')
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
        supernode: `${SUPERNODE}:${PORT}`,
        version: 1,
      })
      run(net, 'sh', '-c', `exec ${command.replace('ADDRESS', ADDRESSES[i] ?? '')}`)
    }
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    if (reason === null) clear()
  })

  it('joins by the command that the console shows, and reaches the others', async () => {
    const [first] = nets
    const other = () => isReached(first, ADDRESSES[1])
    await until('the other edge answers', other, 30_000, 500)
    expect(other()).toBe(true)
  })
})
