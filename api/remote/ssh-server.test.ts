import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#infra/embedded-postgres'
import { testContext } from '#test/harness'
import { until } from '#test/walks/until'
import { type SshServer, STRANGERS_MAX, startSshServer } from './ssh-server.ts'
import { Tunnels } from './tunnels.ts'

let server: SshServer
beforeAll(async () => {
  const context = await testContext()
  const env = { ...context.env, SSH_PORT: await freePort() }
  server = await startSshServer({ ...context, env }, new Tunnels(() => undefined))
})
afterAll(() => server.close())

const knock = (localAddress: string) =>
  connect({ port: server.port, host: '127.0.0.1', localAddress }).on('error', () => undefined)

it('is open to others while one address fills it with connections that say nothing', async () => {
  const silent = Array.from({ length: STRANGERS_MAX * 2 }, () => knock('127.0.0.1').resume())
  await until(
    'only so many are kept',
    () => silent.filter(({ closed }) => !closed).length === STRANGERS_MAX,
    5_000,
  )
  const other = knock('127.0.0.2')
  const [greeting] = (await once(other, 'data')) as [Buffer]
  expect(String(greeting)).toContain('SSH-2.0-tunnel')
  for (let i = 0; i < STRANGERS_MAX; i++) silent.push(knock('127.0.0.1').resume())
  await until(
    'its own make room',
    () => silent.filter(({ closed }) => !closed).length === STRANGERS_MAX - 1,
    5_000,
  )
  expect(other.closed).toBe(false)
  for (const socket of [other, ...silent]) socket.destroy()
})
