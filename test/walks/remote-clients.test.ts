/** Tunnels dug by the clients that routers have, by the agent's own lines: OpenSSH's, and Dropbear's where it is installed. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostKeyLine, tunnelPassword } from '#infra/remote-key'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { stopwatch } from '../patience.ts'
import { openSilentLine } from '../silent-line.ts'
import { seedTenants, TEST_PASSWORD, type Tenants, type TestDevice } from '../tenants.ts'
import { until } from './until.ts'

const agent = fileURLToPath(new URL('../../agent/openwrt/files/usr/lib/iotagent/tunnel.sh', import.meta.url))
const isThere = (program: string) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`])
    return true
  } catch {
    return false
  }
}
const clients = [
  ['OpenSSH', 'ssh', 'dig_openssh'],
  ['Dropbear', 'dbclient', 'dig_dropbear'],
] as const
for (const [name, program] of clients)
  if (!isThere(program))
    console.warn(`SKIPPED: tunnels of ${name} are not tried, because ${program} is not installed`)

if (!isThere('ssh-audit'))
  console.warn('SKIPPED: the SSH server is not audited, because ssh-audit is not installed')

let system: Booted
let tenants: Tenants
let device: TestDevice
let token: string
let page: ReturnType<typeof createServer>
let dir: string
const running = new Set<ChildProcess>()

beforeAll(async () => {
  const context = await testContext()
  tenants = await seedTenants(context)
  device = tenants.a.devices[0] as TestDevice
  system = await bootAll({ context })
  token = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  page = createServer((request, response) => response.end(`page of ${request.headers.host}${request.url}`))
  await new Promise<void>((done) => page.listen(0, '127.0.0.1', done))
  dir = mkdtempSync(join(tmpdir(), 'iot-tunnel-'))
})
afterAll(async () => {
  // The shell and its client.
  for (const { pid, exitCode } of running) if (pid && exitCode === null) process.kill(-pid, 'SIGKILL')
  page.close()
  await system.close()
  rmSync(dir, { recursive: true, force: true })
})

const commandOf = new Map<string, string>()
async function session(): Promise<string> {
  const [made] = await system.context.sql<{ id: string; commandId: string }[]>`
    with c as (insert into commands (id, device_id, customer_id, name, args, state, created_at, deadline_at)
      values (gen_random_uuid(), ${device.id}, ${tenants.a.customerId}, 'openTunnel',
        '{"listenPort": 2200}'::jsonb, 'sent', now(), now() + interval '1 minute') returning id)
    insert into remote_sessions (id, device_id, customer_id, user_id, login_id, command_id, kind, scheme, host, port, expires_at)
    select gen_random_uuid(), ${device.id}, ${tenants.a.customerId}, u.id, (select id from sessions where user_id = u.id limit 1),
      c.id, 'web', 'http', '127.0.0.1', ${(page.address() as AddressInfo).port}, now() + interval '1 hour'
    from c, users u where u.username = ${tenants.a.admin.username} returning id, command_id as "commandId"`
  commandOf.set(made?.id ?? '', made?.commandId ?? '')
  return made?.id ?? ''
}

/** The lines of the agent, with the arguments of the command as it picks them. Returns what it replied. */
function dig(program: string, sessionId: string, more: Record<string, string> = {}) {
  const { env } = system.context
  const expiresAt = Date.now() + 60_000
  const commandId = commandOf.get(sessionId) ?? ''
  const other =
    program === 'dig_openssh' ? 'dbclient() { return 1; }; command() { [ "$2" != dbclient ]; }' : ''
  const lines = `. ${agent}
    pick() { :; }; is_host() { case $1 in '' | -* | *[!A-Za-z0-9.:-]*) return 1 ;; esac; }
    finish() { echo done; }; refuse() { echo "failed: $2"; }
    ${other}
    run_tunnel one /dev/null`
  const child = spawn('sh', ['-c', lines], {
    env: {
      ...process.env,
      RUN: dir,
      SSH_HOST: '127.0.0.1',
      SSH_PORT: String(env.SSH_PORT),
      NAME: device.sn,
      PASSWORD: tunnelPassword(env.JWT_SECRET, { sessionId, commandId, sn: device.sn, expiresAt }),
      HOST_KEY: hostKeyLine(env.JWT_SECRET),
      LISTEN: '2200',
      TARGET: '127.0.0.1',
      TARGET_PORT: String((page.address() as AddressInfo).port),
      ...more,
    },
    // A group of its own, and no terminal to ask at.
    detached: true,
  })
  running.add(child)
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (said.text += String(chunk)))
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  return { said, ended }
}

async function fetchPage(sessionId: string): Promise<string> {
  const { data } = await system.call('remote/getRemoteTicket', { sessionId }, token)
  const { host, pathname } = new URL((data as { url: string }).url)
  const ask = (path: string, headers: Record<string, string>) =>
    new Promise<{ cookie: string; text: string }>((done, fail) => {
      const asked = httpRequest({
        host: '127.0.0.1',
        port: system.context.env.REMOTE_WEB_PORT,
        path,
        headers: { host, ...headers },
      })
      asked.on('error', fail).on('response', async (response) => {
        let text = ''
        for await (const chunk of response) text += String(chunk)
        done({ text, cookie: (response.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '' })
      })
      asked.end()
    })
  const { cookie } = await ask(pathname, {})
  return (await ask('/status?x=1', { cookie })).text
}

it.skipIf(!isThere('ssh-audit'))('has an SSH server without a failure for ssh-audit', async () => {
  const port = String(system.context.env.SSH_PORT)
  // Its exit code also counts what it only warns of.
  const report = await new Promise<string>((done) =>
    execFile('ssh-audit', ['-n', '-p', port, '127.0.0.1'], (_error, stdout) => done(stdout)),
  )
  expect(report).toContain('(key) ssh-ed25519')
  expect(report).not.toContain('[fail]')
})

it.skipIf(!isThere('ssh')).each([
  [
    'with instructions for AES asks for AES-GCM',
    'flags : fpu aes sse2',
    /^-o Ciphers=aes128-gcm@openssh\.com,/,
  ],
  ['without them leaves the choice to its client', 'system type : MediaTek MT7621', /^$/],
])('a processor %s', (_name, cpu, expected) => {
  const file = join(dir, 'cpuinfo')
  writeFileSync(file, `${cpu}\n`)
  const said = execFileSync('sh', ['-c', `. ${agent}; ciphers`], { env: { ...process.env, CPUINFO: file } })
  expect(String(said)).toMatch(expected)
})

for (const [name, program, how] of clients) {
  it.skipIf(!isThere(program))(
    `${name} digs the tunnel, carries pages, and goes when the session is closed`,
    async () => {
      const sessionId = await session()
      const { said, ended } = dig(how, sessionId)
      const state = async () =>
        (await system.call('remote/getRemote', { sessionId }, token)).data as { state: string }
      await until(`the tunnel: ${said.text}`, async () => (await state()).state === 'tunnelUp')
      const { port } = page.address() as AddressInfo
      expect(await fetchPage(sessionId)).toBe(`page of 127.0.0.1:${port}/status?x=1`)
      await until('its reply', () => said.text.includes('done'))
      await system.call('remote/closeRemote', { sessionId }, token)
      await ended
    },
  )

  it.skipIf(!isThere(program))(`${name} does not connect to a server with another key`, async () => {
    const sessionId = await session()
    const { said, ended } = dig(how, sessionId, { HOST_KEY: hostKeyLine('x'.repeat(43)) })
    await ended
    expect(said.text).toMatch(/^failed: /)
    const [row] = await system.context.sql`select used_at from remote_sessions where id = ${sessionId}`
    expect(row?.['used_at']).toBeNull()
  })
}

it.skipIf(!clients.some(([, program]) => isThere(program)))(
  'clients of devices see within 30 s that their line is dead',
  async () => {
    const line = await openSilentLine(`http://127.0.0.1:${system.context.env.SSH_PORT}`)
    const port = new URL(line.url).port
    const dug = []
    for (const [, program, how] of clients.filter(([, name]) => isThere(name))) {
      const sessionId = await session()
      dug.push({ program, ...dig(how, sessionId, { SSH_PORT: port }) })
      const up = async () =>
        ((await system.call('remote/getRemote', { sessionId }, token)).data as { tunnelAt: unknown }).tunnelAt
      await until(`the tunnel of ${program}`, up)
    }
    line.silence()
    const took = await Promise.all(
      dug.map(async ({ program, ended }) => {
        const taken = stopwatch()
        await ended
        return { program, ms: taken() }
      }),
    )
    for (const { program, ms } of took) expect(ms, program).toBeLessThan(30_000)
    line.close()
  },
)
