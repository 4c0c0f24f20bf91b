/**
 * deploy/supernode/run.sh with the real list of communities. Debian has no n2n 3: a fake one replaces the supernode, with its
 * management port in this process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#infra/embedded-postgres'
import { readSupernode } from '#infra/group/n2n-management'
import { type Supernode, startSupernode } from '#test/programs/supernode'
import { seedTenants, TEST_PASSWORD, type Tenants } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { root } from '../tracked-files.ts'
import { until } from './until.ts'

const missing = ['/usr/bin/socat', '/usr/bin/curl'].filter((path) => !existsSync(path))
if (missing.length > 0) process.stderr.write(`SKIPPED: deploy/supernode (no ${missing.join(', ')})\n`)
const dir = mkdtempSync(join(tmpdir(), 'iot-supernode-'))
const FAKE = '#!/bin/sh\necho "$@" > arguments\nexec sleep 600\n'

let booted: Booted
let tenants: Tenants
let node: Supernode
let child: ChildProcess
let token: string
const kept = (name: string) => (existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8') : '')
const reloads = () => node.heard.filter((line) => line.endsWith('reload_communities'))

describe.skipIf(missing.length > 0)('deploy/supernode/run.sh', () => {
  beforeAll(async () => {
    const context = await testContext()
    tenants = await seedTenants(context)
    booted = await bootAll({ context })
    token = await booted.login(tenants.systemAdmin.username, TEST_PASSWORD)
    const management = await freePort()
    node = await startSupernode(undefined, management)
    writeFileSync(join(dir, 'supernode'), FAKE, { mode: 0o755 })
    const made = await booted.call(
      'n2nServer/addN2nServer',
      { name: 'Compose', address: 'sn.example.net', port: 9001, version: 3 },
      token,
    )
    const server = made.data as { id: number; token: string }
    await assign(server.id)
    child = spawn('sh', [join(root, 'deploy/supernode/run.sh')], {
      stdio: process.env['TEST_LOG'] ? 'inherit' : 'ignore',
      // The script ends with its children, as a container does.
      detached: true,
      env: {
        PATH: `${dir}:${process.env['PATH']}`,
        PLATFORM_URL: booted.url,
        N2N_SERVER_ID: String(server.id),
        N2N_TOKEN: server.token,
        N2N_MANAGEMENT_PORT: String(management),
        N2N_MANAGEMENT_BIND: '127.0.0.2',
        N2N_MANAGEMENT_PASSWORD: 'other',
        N2N_FEDERATION: 'ours',
        N2N_DIR: dir,
        N2N_FETCH_S: '0.2',
      },
    })
  }, 180_000)
  afterAll(async () => {
    const ended = new Promise((done) => child.once('exit', done))
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await ended
    await node.close()
    await booted.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const assign = async (serverId: number, groups = [tenants.a.groups.root]) => {
    for (const gid of groups)
      await booted.context.sql`
        update groups set n2n_server_id = ${serverId}, remote_account = ${`acme${gid}`}, remote_key = 'secret-key'
        where id = ${gid}`
  }

  it('starts with the list of its groups', async () => {
    const begun = await until('the supernode is started', () => kept('arguments') || null)
    expect(begun.trim()).toMatch(/^-f -p 9001 -t \d+ -c community\.list --management-password other -F ours$/)
    expect(kept('community.list')).toContain(`acme${tenants.a.groups.root}`)
  })

  it('reloads when the list has changed, once, and not when it has not', async () => {
    const { sql } = booted.context
    const fetched = async () =>
      (await sql<{ at: Date }[]>`select fetched_at as at from n2n_servers`)[0]?.at.getTime() ?? 0
    const before = await fetched()
    await until('it asked again', async () => (await fetched()) > before + 500)
    expect(reloads()).toEqual([])
    const [server] = await sql<{ id: number }[]>`select id from n2n_servers`
    await assign(server?.id ?? 0, [tenants.a.groups.other])
    await until('it is reloaded', () => reloads().length > 0)
    expect(reloads()[0]).toBe('w 1:1:other reload_communities')
    expect(kept('community.list')).toContain(`acme${tenants.a.groups.other}`)
    const then = await fetched()
    await until('it asked again', async () => (await fetched()) > then + 500)
    expect(reloads()).toHaveLength(1)
  })

  it('leads the workers to the management port, which n2n opens on loopback only', async () => {
    node.edges = [{ community: 'acme', macaddr: '02:00:00:00:00:01', desc: 'one' }]
    const { edges } = await readSupernode('127.0.0.2', node.port)
    expect([...edges]).toEqual([['acme', 1]])
  })
})
