/** The platform goes down while a script watches. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { taskSteps } from '#schema/kit/task-kind'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const counts = {
  ...Object.fromEntries(taskSteps.map((step) => [step, 0])),
  done: 1,
  failed: 0,
  cancelled: 0,
  total: 1,
}
const answer = (status: 'ongoing' | 'completed') =>
  JSON.stringify({
    code: 0,
    message: '',
    data: { taskId: 1, name: 'x', status, counts, failures: [], paused: null, command: null },
  })

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => void close()))

/** A platform with scripted responses, one listener per request; the last one for all later requests. */
async function platform(...turns: RequestListener[]): Promise<string> {
  let asked = 0
  const server = createServer((request, response) =>
    turns[Math.min(asked++, turns.length - 1)]?.(request, response),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Ended = { code: number | null; out: string; err: string }
const ops = (url: string, ...args: string[]) => start({ IOT_URL: url }, args).ended

function start(env: Record<string, string>, args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      LANG: 'en_US.UTF-8',
      IOT_TOKEN: 'x',
      ...env,
    },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (part) => {
    out += part
  })
  child.stderr.on('data', (part) => {
    err += part
  })
  const ended = new Promise<Ended>((done) => child.on('close', (code) => done({ code, out, err })))
  return { child, ended }
}

const says =
  (status: number, text: string): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(text)
const hangsUp: RequestListener = (request) => request.socket.destroy()

it('a restart of the platform does not end the watching of a task', async () => {
  const url = await platform(
    says(200, answer('ongoing')),
    hangsUp,
    says(502, '<html>'),
    says(200, answer('completed')),
  )
  const ended = await ops(url, 'tasks', 'watch', '1')
  expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('trying again') })
})

it('a platform that stays down ends it at the timeout, with 4', async () => {
  const url = await platform(says(200, answer('ongoing')), hangsUp)
  expect((await ops(url, 'tasks', 'watch', '1', '--timeout', '3')).code).toBe(4)
})

it('a change that is given up at the timeout says so, also if its draft cannot be removed', async () => {
  const replies: Record<string, unknown> = {
    '/api/device/getDeviceList': { list: [{ deviceSn: 'SN1', deviceId: 1 }], total: 1 },
    '/api/config/compareUci': { packages: [], uci: [{ place: 'system' }], faults: [], warnings: [] },
    '/api/config/getDeviceConfig': { pages: [], imported: null },
    '/api/config/importUci': null,
    '/api/config/reviewConfig': { uci: [{}], confirmS: 0, warnings: [], reviewed: 'x' },
    '/api/config/applyDevice': { taskId: 1 },
    '/api/task/getTask': JSON.parse(answer('ongoing')).data,
  }
  const url = await platform((request, response) => {
    const data = replies[request.url ?? '']
    if (data === undefined) return hangsUp(request, response)
    response.end(JSON.stringify({ code: 0, message: '', data }))
  })
  const folder = mkdtempSync(join(tmpdir(), 'iot-ops-'))
  closing.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'text')
  writeFileSync(file, "config system 'system'\n")
  const ended = await ops(
    url,
    ...['config', 'apply', '-f', file, '--devices', 'SN1', '--wait', '--timeout', '1'],
  )
  expect(ended).toMatchObject({ code: 4, err: expect.stringContaining('not completed within 1 s') })
  expect(ended.err).toContain('cannot be reached')
})

it('a refusal ends it immediately, and so does a platform that is down from the start', async () => {
  const refused = await platform(
    says(200, answer('ongoing')),
    says(200, '{"code":5,"data":null,"message":"no"}'),
  )
  expect((await ops(refused, 'tasks', 'watch', '1')).code).toBe(3)
  expect((await ops('http://127.0.0.1:9', 'tasks', 'watch', '1')).code).toBe(3)
})

it('a download that breaks off is reported, without a stack', async () => {
  const url = await platform((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '1000' })
    response.write('half')
    setTimeout(() => response.destroy(), 50)
  })
  const ended = await ops(url, 'call', 'device/exportDevices')
  expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('cannot be reached') })
  expect(ended.err).not.toContain('at ')
})

it('the page of a proxy whose platform is down is not taken for the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'iot-ops-'))
  closing.push(() => rmSync(folder, { recursive: true }))
  const [file, kept] = [join(folder, 'x.csv'), 'from yesterday\n']
  writeFileSync(file, kept)
  const url = await platform((_, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>502 Bad Gateway</html>'),
  )
  for (const save of [[], ['--save', file]])
    expect(await ops(url, 'call', 'log/exportOperations', ...save)).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('HTTP 502'),
    })
  expect(readFileSync(file, 'utf8')).toBe(kept)
})

it('a full disk under the output is reported, without a stack', async () => {
  const command = '"$0" "$1" call --list >/dev/full'
  const ended = spawnSync('sh', ['-c', command, process.execPath, main], { encoding: 'utf8' })
  expect(ended).toMatchObject({ status: 1, stderr: 'the output cannot be written (ENOSPC)\n' })
})

it('Ctrl-C ends the watching with 130, and says that the task continues', async () => {
  let child: ChildProcess | undefined
  const url = await platform(says(200, answer('ongoing')), (request, response) => {
    child?.kill('SIGINT')
    says(200, answer('ongoing'))(request, response)
  })
  const started = start({ IOT_URL: url }, ['tasks', 'watch', '1'])
  child = started.child
  expect(await started.ended).toEqual({
    code: 130,
    out: '',
    err: 'task 1 goes on without you: `ops tasks watch 1` watches it again\n',
  })
})

it('the token follows no redirect', async () => {
  const carried: unknown[] = []
  const stranger = await platform((request, response) => {
    carried.push(request.headers['token'])
    response.end()
  })
  const url = await platform((_, response) => response.writeHead(307, { location: stranger }).end())
  const ended = await ops(url, 'devices', 'list')
  expect(ended).toMatchObject({ code: 3, err: expect.stringContaining(`redirects to ${stranger}`) })
  expect(carried).toEqual([])
})

it('an invalid token is not printed, and http instead of https is reported', async () => {
  const url = await platform(says(200, '{}'))
  const broken = await start({ IOT_URL: url, IOT_TOKEN: 'secret\nmore' }, ['devices', 'list']).ended
  expect(broken).toMatchObject({ code: 2, err: expect.stringContaining('IOT_TOKEN') })
  expect(broken.err).not.toContain('secret')
  const plain = await ops(url.replace('http:', 'https:'), 'devices', 'list')
  expect(plain).toMatchObject({ code: 3, err: expect.stringContaining('does not speak TLS') })
})
