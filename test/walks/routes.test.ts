/** Where deploy/haproxy.cfg and deploy/nginx.conf lead calls that only the process with the tunnels can answer, and streams. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '#infra/embedded-postgres'
import { watchValues } from '#schema/monitor/live-values'
import * as fileCalls from '#schema/remote/remote-file'
import { root } from '../tracked-files.ts'
import { balancerFor } from './balancer.ts'
import { until } from './until.ts'

const [HAPROXY, NGINX] = ['/usr/sbin/haproxy', '/usr/sbin/nginx']
const noNginx = !existsSync(NGINX) || globSync('/etc/nginx/modules-enabled/*stream*').length === 0
if (!existsSync(HAPROXY)) process.stderr.write('SKIPPED: routes of deploy/haproxy.cfg (no haproxy)\n')
if (noNginx) process.stderr.write('SKIPPED: routes of deploy/nginx.conf (no nginx with the stream module)\n')

const dir = mkdtempSync(join(tmpdir(), 'iot-routes-'))
const children: ChildProcess[] = []
const servers: Server[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGTERM')
  for (const server of servers) server.close()
  rmSync(dir, { recursive: true, force: true })
})

/** What is asked of it is answered with its name, so that it is ready, too. */
async function answering(name: string): Promise<string> {
  const server = createServer((_request, response) => response.end(name))
  servers.push(server)
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return String(port)
}

const tunnelPaths = [
  ...Object.values(fileCalls).flatMap((one) =>
    typeof one === 'object' && one !== null && 'path' in one ? [String(one.path)] : [],
  ),
  '/remote/terminal',
  '/remote/forward',
]

type Ask = (path: string, token?: string) => Promise<string>

/** The processes that answer it when it is asked several times. */
async function whoAnswers(path: string, ask: Ask, token?: string): Promise<string[]> {
  const names = new Set<string>()
  for (let turn = 0; turn < 4; turn++) names.add(await ask(path, token))
  return [...names].toSorted()
}

async function expectRoutes(ask: Ask): Promise<void> {
  expect(tunnelPaths.length).toBeGreaterThan(6)
  for (const path of tunnelPaths) expect([path, await whoAnswers(path, ask)]).toEqual([path, ['remote']])
  expect(await whoAnswers('/api/device/getDeviceList', ask)).toEqual(['other', 'remote'])
  const logins = Array.from({ length: 24 }, (_, i) => `login-${i}`)
  const one = await Promise.all(logins.map((token) => whoAnswers(watchValues.path, ask, token)))
  expect(one.every(({ length }) => length === 1)).toBe(true)
  expect(new Set(one.flat())).toEqual(new Set(['other', 'remote']))
}

/** Only with this capability a process may have more open files than it was allowed. */
const unable =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set=-sys_resource', '--inh-caps=-sys_resource', '--']
    : []

it.skipIf(!existsSync(HAPROXY))(
  'HAProxy starts with as many open files as docker-compose.yml allows it',
  async () => {
    const read = (file: string, pattern: RegExp) =>
      Number(pattern.exec(readFileSync(join(root, file), 'utf8'))?.[1])
    const most = read('deploy/haproxy.cfg', /maxconn (\d+)/)
    const allowed = read('docker-compose.yml', /balancer:[\s\S]*?nofile: \{ soft: \d+, hard: (\d+)/)
    // This machine may allow fewer. What is left beside the connections is the same.
    const few = 1_000
    const files = String(2 * few + allowed - 2 * most)
    const limited = mkdtempSync(join(dir, 'limited-'))
    const { file, http } = await balancerFor(limited, [], [])
    writeFileSync(file, readFileSync(file, 'utf8').replace(/maxconn \d+/, `maxconn ${few}`))
    const [program = '', ...args] = ['prlimit', `--nofile=${files}:${files}`, ...unable, HAPROXY, '-f', file]
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    children.push(child)
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const listens = () =>
      fetch(`http://127.0.0.1:${http}/`).then(
        () => true,
        () => false,
      )
    await until(
      'the balancer listens',
      async () => {
        if (child.exitCode !== null) throw new Error(said)
        return listens()
      },
      10_000,
      100,
    )
  },
)

it.skipIf(!existsSync(HAPROXY))('HAProxy leads them to the api called remote', async () => {
  const [first, second] = [await answering('remote'), await answering('other')]
  const ports = (port: string) => ({
    HTTP_PORT: port,
    HEALTH_PORT: port,
    REMOTE_WEB_PORT: port,
    SSH_PORT: port,
  })
  const balancer = await balancerFor(dir, [], [ports(first), ports(second)])
  children.push(spawn(HAPROXY, ['-f', balancer.file], { stdio: 'ignore' }))
  const ask: Ask = async (path, token = '') =>
    (await fetch(`http://127.0.0.1:${balancer.http}${path}`, { headers: { token } })).text()
  const both = async () => (await whoAnswers('/healthz', ask)).join() === 'other,remote'
  await until('the balancer knows both', () => both().catch(() => false), 20_000, 200)
  await expectRoutes(ask)
})

it.skipIf(noNginx)('nginx leads them to the api of the group remote', async () => {
  const [first, second] = [await answering('remote'), await answering('other')]
  const made = await generate([{ name: 'commonName', value: 'iot.example.com' }])
  writeFileSync(join(dir, 'fullchain.pem'), made.cert)
  writeFileSync(join(dir, 'key.pem'), made.private)
  const ports: Record<string, number> = {}
  for (const port of ['80', '443', '1883', '8883', '2222']) ports[port] = await freePort()
  const text = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
    .replaceAll('/etc/ssl/iot/', `${dir}/`)
    .replace(/listen (\d+)/g, (_, port: string) => `listen 127.0.0.1:${ports[port]}`)
    .replace(
      /(upstream api\w* \{[^}]*)server 127\.0\.0\.1:8080;/g,
      `$1server 127.0.0.1:${second};\nserver 127.0.0.1:8080;`,
    )
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${first}`)
    .replace(/^worker_processes auto;/m, `worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log;`)
    .replace('200000', '2000')
    .replace('100000', '1000')
  writeFileSync(join(dir, 'nginx.conf'), text)
  children.push(spawn(NGINX, ['-c', join(dir, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'ignore' }))
  const ask: Ask = (path, token = '') =>
    new Promise<string>((done, fail) => {
      const options = { host: '127.0.0.1', port: ports['443'], path, rejectUnauthorized: false }
      request({ ...options, headers: { host: 'iot.example.com', token } }, (answer) => {
        let said = ''
        answer.on('data', (chunk: Buffer) => {
          said += String(chunk)
        })
        answer.on('end', () => done(said))
      })
        .once('error', fail)
        .end()
    })
  const listens = async () => (await ask('/healthz')) !== ''
  await until('nginx listens', () => listens().catch(() => false), 20_000, 200)
  await expectRoutes(ask)
})
