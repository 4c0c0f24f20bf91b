/**
 * Remote operation compared with a direct connection on the same machine: the round trip of a byte, 100 MB through a
 * forwarded port and through `ssh -R` of OpenSSH's own server, 100 requests of a device's page at once, and what 200
 * idle tunnels cost the api. The devices are played by this process, with the SSH client that the simulator uses; the
 * download's has OpenSSH's client, as for the server that it is compared with.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttp, request as httpRequest } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { WebSocket } from 'ws'
import { freePort } from '#infra/embedded-postgres'
import { tunnelPassword } from '#infra/remote-key'
import { hashPassword } from '#infra/secrets'
import { seedRoles } from '#launch/seed'
import { FORWARD_PATH, FORWARD_PROTOCOL } from '#schema/remote/forward-frame'
import { sshServerMissing, startSshServer } from '#test/openwrt/ssh-server'
import { benchDatabase, benchDevices, processorSeconds, residentBytes, startChild } from './bench-fleet.ts'
import { AES_GCM, CHACHA20, sshReverse } from './ssh-reverse.ts'

const KEYS = 500
const DOWNLOAD_BYTES = 100 * 1024 * 1024
/** Measured runs; the median is reported. */
const DOWNLOADS = 5
/** Before them, not counted: the first after a start of the api are slower. */
const WARM_UPS = 4
const REQUESTS = 100
const TUNNELS = 200
const IDLE_S = 10
const PASSWORD = 'bench-horse-7'

const median = (all: readonly number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
const rounded = (figure: number, digits = 2) => Number(figure.toFixed(digits))
const megabytesPerSecond = (seconds: number) => rounded(DOWNLOAD_BYTES / 1_000_000 / seconds, 1)

async function listening(server: {
  listen(port: number, host: string, done: () => void): unknown
  address(): unknown
}) {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

/** Time for each of `KEYS` bytes to come back. */
async function keyMs(write: (byte: Buffer) => void, answered: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < KEYS; i++) {
    const began = performance.now()
    const answer = answered()
    write(Buffer.from('x'))
    await answer
    times.push(performance.now() - began)
  }
  return rounded(median(times), 3)
}

async function downloadSeconds(port: number): Promise<number> {
  const began = performance.now()
  const socket = connect(port, '127.0.0.1')
  let taken = 0
  for await (const chunk of socket) taken += (chunk as Buffer).length
  if (taken !== DOWNLOAD_BYTES) throw new Error(`${taken} bytes arrived`)
  return (performance.now() - began) / 1000
}

/** The same download through `ssh -R` to a server of OpenSSH; null: it cannot be started here. */
async function opensshSeconds(source: number, cipher: string): Promise<number | null> {
  if (sshServerMissing('OpenSSH') !== null) return null
  const server = await startSshServer('OpenSSH')
  const back = await freePort()
  const stop = await sshReverse(server, back, source, cipher)
  try {
    if (!stop) return null
    const all: number[] = []
    for (let i = 0; i < DOWNLOADS; i++) all.push(await downloadSeconds(back))
    return median(all)
  } finally {
    stop?.()
    server.close()
  }
}

export async function run() {
  const database = await benchDatabase()
  const { sql } = database
  const ends: (() => unknown)[] = []
  try {
    await seedRoles(sql)
    await benchDevices(sql, TUNNELS)
    const hash = await hashPassword(PASSWORD, { memory: 8, passes: 1, parallelism: 1, tagLength: 32 })
    await sql`
      insert into users (username, password_hash, type, role_id, customer_id, mon_state)
      select 'bench', ${hash}, 'customerAdmin', (select id from roles where customer_id is null and name = 'customerAdmin'), (select id from customers), 1`
    const [http, ssh, web] = [await freePort(), await freePort(), await freePort()]
    const secret = randomBytes(32).toString('hex')
    const api = await startChild('api/main.ts', {
      DATABASE_URL: database.url,
      DATA_DIR: database.dir,
      JWT_SECRET: secret,
      HTTP_PORT: String(http),
      HTTP_HOST: '127.0.0.1',
      SSH_PORT: String(ssh),
      SSH_HOST: '127.0.0.1',
      REMOTE_WEB_PORT: String(web),
      REMOTE_URL: `http://*.localhost:${web}`,
    })
    ends.push(() => api.stop('SIGKILL'))
    const post = async <T>(call: string, body: object, token = ''): Promise<T> => {
      const answer = await fetch(`http://127.0.0.1:${http}/api/${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { token }) },
        body: JSON.stringify(body),
      })
      const { data, message } = (await answer.json()) as { data?: T; message: string }
      if (!data) throw new Error(`${call}: ${message}`)
      return data
    }
    const { token } = await post<{ token: string }>('userLogin', { username: 'bench', password: PASSWORD })
    const [login] = await sql<{ id: string; userId: number }[]>`select id, user_id as "userId" from sessions`
    const devices = await sql<{ id: number; sn: string; customerId: number }[]>`
      select id, sn, customer_id as "customerId" from devices order by id`

    /** A session of the n-th device that waits for its tunnel to this port. */
    async function asked(n: number, kind: string, port: number) {
      const device = devices[n % devices.length]
      if (!device || !login) throw new Error('nothing to open a tunnel with')
      const [sessionId, commandId] = [randomUUID(), randomUUID()]
      await sql`insert into commands (id, device_id, customer_id, name, args, state, deadline_at)
        values (${commandId}, ${device.id}, ${device.customerId}, 'openTunnel', '{"listenPort": 2200}'::jsonb, 'sent', now() + interval '1 hour')`
      await sql`insert into remote_sessions (id, device_id, customer_id, user_id, login_id, command_id, kind, scheme, host, port, expires_at)
        values (${sessionId}, ${device.id}, ${device.customerId}, ${login.userId}, ${login.id}, ${commandId}, ${kind},
          ${kind === 'web' ? 'http' : 'tcp'}, '127.0.0.1', ${port}, now() + interval '1 hour')`
      const expiresAt = Date.now() + 60_000
      const password = tunnelPassword(secret, { sessionId, commandId, sn: device.sn, expiresAt })
      return { sessionId, account: { port: ssh, username: device.sn, password } }
    }
    /** Its tunnel is up; the device is played by this process. */
    async function openTunnelOf(n: number, kind: string, port: number): Promise<string> {
      const { sessionId, account } = await asked(n, kind, port)
      const client = new ssh2.Client()
      ends.push(() => client.destroy())
      client.on('tcp connection', (_from, accept) => {
        const channel = accept()
        const socket = connect({ port, host: '127.0.0.1', noDelay: true })
        socket.on('error', () => channel.destroy())
        channel.on('error', () => socket.destroy())
        socket.pipe(channel).pipe(socket)
      })
      await new Promise<void>((done, fail) => {
        client.on('error', fail)
        client.on('connect', () => client.setNoDelay(true))
        client.on('ready', () =>
          client.forwardIn('127.0.0.1', 2200, (error) => (error ? fail(error) : done())),
        )
        client.connect({ host: '127.0.0.1', ...account })
      })
      return sessionId
    }
    /** As routers do it: by OpenSSH's client, if it is there. */
    async function digBySsh(n: number, port: number, cipher: string): Promise<string> {
      const { sessionId, account } = await asked(n, 'forward', port)
      const stop = await sshReverse(account, 2200, port, cipher)
      if (stop) ends.push(stop)
      return stop ? sessionId : openTunnelOf(n + 1, 'forward', port)
    }
    const ticketOf = (sessionId: string) =>
      post<{ ticket: string; url: string | null }>('remote/getRemoteTicket', { sessionId }, token)
    async function forwarded(sessionId: string): Promise<WebSocket> {
      const { ticket } = await ticketOf(sessionId)
      const socket = new WebSocket(`ws://127.0.0.1:${http}${FORWARD_PATH}`, [FORWARD_PROTOCOL, ticket], {
        perMessageDeflate: false,
      })
      // Paused until there is a listener.
      socket.once('open', () => socket.pause())
      await once(socket, 'open')
      return socket
    }

    const echo = await listening(createServer({ noDelay: true }, (socket: Socket) => socket.pipe(socket)))
    const block = randomBytes(1024 * 1024)
    const source = await listening(
      createServer(async (socket: Socket) => {
        socket.on('error', () => undefined)
        for (let i = 0; i < DOWNLOAD_BYTES / block.length; i++)
          if (!socket.write(block)) await once(socket, 'drain').catch(() => undefined)
        socket.end()
      }),
    )
    const page = await listening(createHttp((_asked, answer) => answer.end('x'.repeat(10_000))))

    const direct = connect({ port: echo, host: '127.0.0.1', noDelay: true })
    await once(direct, 'connect')
    const directMs = await keyMs(
      (byte) => direct.write(byte),
      () => once(direct, 'data'),
    )
    const typed = await forwarded(await openTunnelOf(0, 'forward', echo))
    typed.resume()
    const tunnelMs = await keyMs(
      (byte) => typed.send(byte),
      () => once(typed, 'message'),
    )

    /** Each through a separate tunnel, of the devices from the `n`-th on. */
    async function tunnelSeconds(n: number, cipher: string, count = DOWNLOADS): Promise<number[]> {
      const all: number[] = []
      for (let i = 0; i < count; i++) {
        const fetched = await forwarded(await digBySsh(n + 2 * i, source, cipher))
        const began = performance.now()
        let taken = 0
        await new Promise<void>((done) => {
          fetched.on('message', (chunk: Buffer, isBinary: boolean) => {
            if (!isBinary) return done()
            taken += chunk.length
            if (taken >= DOWNLOAD_BYTES) done()
          })
          fetched.on('close', () => done())
          fetched.resume()
        })
        all.push((performance.now() - began) / 1000)
        if (taken !== DOWNLOAD_BYTES) throw new Error(`${taken} bytes arrived through the tunnel`)
      }
      return all
    }
    /** Through a tunnel, and through `ssh -R` with the same cipher. */
    async function downloads(name: string, n: number, cipher: string) {
      const tunnel = median(await tunnelSeconds(n, cipher))
      const openssh = await opensshSeconds(source, cipher)
      return {
        [`downloadMBsTunnel${name}`]: megabytesPerSecond(tunnel),
        [`downloadMBsOpenssh${name}`]: openssh === null ? 'not installed' : megabytesPerSecond(openssh),
      }
    }
    const { url } = await ticketOf(await openTunnelOf(3, 'web', page))
    const { host, pathname } = new URL(url ?? '')
    const get = (path: string, cookie = '') =>
      new Promise<{ status: number; cookie: string }>((done, fail) => {
        httpRequest({ host: '127.0.0.1', port: web, path, headers: { host, cookie } }, (answer) => {
          const [given = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(';')
          answer.resume().on('end', () => done({ status: answer.statusCode ?? 0, cookie: given }))
        })
          .on('error', fail)
          .end()
      })
    const { cookie } = await get(pathname)
    const askedMs = performance.now()
    // A tunnel carries 32 connections at once; a browser opens six.
    const statuses: number[] = []
    const turns = Array.from({ length: REQUESTS }, (_, i) => i)
    await Promise.all(
      Array.from({ length: 24 }, async () => {
        while (turns.pop() !== undefined) statuses.push((await get('/', cookie)).status)
      }),
    )
    const requestsMs = performance.now() - askedMs

    // Before the downloads: what these leave in the heap would hide the memory of tunnels.
    const pid = api.child.pid ?? 0
    await sleep(2_000)
    const before = { bytes: residentBytes(pid), seconds: processorSeconds(pid) }
    await sleep(IDLE_S * 1000)
    const idleBefore = processorSeconds(pid) - before.seconds
    for (let n = 0; n < TUNNELS; n += 20)
      await Promise.all(Array.from({ length: 20 }, (_, i) => openTunnelOf(n + i, 'forward', echo)))
    await sleep(2_000)
    const after = { bytes: residentBytes(pid), seconds: processorSeconds(pid) }
    await sleep(IDLE_S * 1000)
    const idleAfter = processorSeconds(pid) - after.seconds

    const [first = 0] = await tunnelSeconds(10, AES_GCM, WARM_UPS)
    const aesGcm = await downloads('AesGcm', 20, AES_GCM)
    const chacha20 = await downloads('Chacha20', 30, CHACHA20)
    return {
      name: 'remote tunnel',
      figures: {
        keyMsDirect: directMs,
        keyMsTunnel: tunnelMs,
        downloadMBsTunnelFirst: megabytesPerSecond(first),
        ...aesGcm,
        ...chacha20,
        pageRequests: REQUESTS,
        pageRequestsOk: statuses.filter((status) => status === 200).length,
        pageRequestsMs: rounded(requestsMs, 0),
        tunnels: TUNNELS,
        bytesPerTunnel: Math.round((after.bytes - before.bytes) / TUNNELS),
        processorMsPerTunnelSecond: rounded(((idleAfter - idleBefore) * 1000) / IDLE_S / TUNNELS, 3),
      },
    }
  } finally {
    for (const end of ends.reverse()) await end()
    await database.close()
  }
}

if (import.meta.main) {
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
  process.exit(0)
}
