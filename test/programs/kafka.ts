/**
 * Kafka for tests: librdkafka's own cluster in one process (Debian's kcat), with a consumer of it that prints what arrives, so that neither half is ours; and
 * a door before it with TLS and SASL, which that cluster has not. Only the handshake is the door's own (RFC 4616, RFC 5802); everything else is passed on.
 */
import { spawn } from 'node:child_process'
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer as createPlain, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createSecure } from 'node:tls'
import { generate } from 'selfsigned'

const KCAT = '/usr/bin/kcat'
export const noKafka = !existsSync(KCAT)

export async function startCluster(topic: string) {
  const child = spawn(KCAT, [
    ...['-C', '-t', topic, '-o', 'beginning', '-u', '-f', '%k %s\\n', '-b', 'unused:1'],
    ...['-X', 'test.mock.num.brokers=1', '-d', 'mock'],
  ])
  /** `key body` of each message. */
  const printed: string[] = []
  let address = ''
  let rest = ''
  child.stdout.on('data', (part: Buffer) => {
    const parts = (rest + String(part)).split('\n')
    rest = parts.pop() ?? ''
    printed.push(...parts)
  })
  child.stderr.on('data', (part: Buffer) => {
    address ||= /127\.0\.0\.1:\d+/.exec(String(part))?.[0] ?? ''
  })
  for (let n = 0; n < 100 && address === ''; n++) await sleep(50)
  const ended = new Promise((done) => child.once('exit', done))
  return {
    port: Number(address.split(':')[1]),
    address: `kafka://${address}`,
    printed,
    close: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const
type Mechanism = (typeof mechanisms)[number]
type Step = { reply: string; over: boolean }

/** The server's side of a login; null: refused. */
function* login(
  mechanism: Mechanism,
  username: string,
  password: string,
): Generator<Step | null, void, string> {
  let said = yield null
  if (mechanism === 'PLAIN') {
    yield said === `\0${username}\0${password}` ? { reply: '', over: true } : null
    return
  }
  const hash = mechanism === 'SCRAM-SHA-256' ? 'sha256' : 'sha512'
  const hmac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest()
  const clientFirst = said.replace(/^n,,/, '')
  const [, name, nonce = ''] = /^n=([^,]*),r=(.*)$/.exec(clientFirst) ?? []
  const [salt, rounds] = [randomBytes(16), 4096]
  const both = nonce + randomBytes(12).toString('base64')
  const serverFirst = `r=${both},s=${salt.toString('base64')},i=${rounds}`
  said = yield { reply: serverFirst, over: false }
  const [, without = '', proof = ''] = /^(c=biws,r=.*),p=(.*)$/.exec(said) ?? []
  const salted = pbkdf2Sync(password, salt, rounds, hash === 'sha256' ? 32 : 64, hash)
  const message = `${clientFirst},${serverFirst},${without}`
  const stored = createHash(hash).update(hmac(salted, 'Client Key')).digest()
  const signature = hmac(stored, message)
  const given = Buffer.from(proof, 'base64')
  if (name !== username || !without.endsWith(both) || given.length !== signature.length)
    return void (yield null)
  const key = createHash(hash)
    .update(given.map((byte, index) => byte ^ (signature[index] ?? 0)))
    .digest()
  const verifier = hmac(hmac(salted, 'Server Key'), message).toString('base64')
  yield timingSafeEqual(key, stored) ? { reply: `v=${verifier}`, over: true } : null
}

const text = (value: string) => {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}
const int = (value: number, bytes: 2 | 4) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, 0, bytes)
  return buffer
}
/** Calls `each` with every whole frame, without its length. */
function frames(socket: Socket, each: (frame: Buffer) => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (part: Buffer) => {
    rest = Buffer.concat([rest, part])
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const end = 4 + rest.readInt32BE(0)
      each(rest.subarray(4, end))
      rest = rest.subarray(end)
    }
  })
}
const framed = (...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([int(body.length, 4), body])
}

const [HANDSHAKE, API_VERSIONS, AUTHENTICATE] = [17, 18, 36]

/** @param secure a certificate for 127.0.0.1, self-signed; false: SASL without TLS */
export async function startKafkaDoor(
  clusterPort: number,
  of: { username: string; password: string; secure: boolean },
) {
  const certificate = of.secure
    ? await generate([{ name: 'commonName', value: 'kafka' }], {
        keyType: 'ec',
        curve: 'P-256',
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
      })
    : null
  /** Mechanisms by which a client has logged in, and what was asked before it had. */
  const seen = { logins: [] as string[], refused: 0, early: 0 }
  const sockets = new Set<Socket>()
  let port = 0

  function serve(client: Socket): void {
    const cluster = connect(clusterPort, '127.0.0.1')
    let dialogue: ReturnType<typeof login> | null = null
    let mechanism: Mechanism | null = null
    let entered = false
    const asked = new Map<number, number>()
    for (const [one, other] of [
      [client, cluster],
      [cluster, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    frames(client, (frame) => {
      const [api, correlation] = [frame.readInt16BE(0), frame.readInt32BE(4)]
      const body = frame.subarray(10 + Math.max(0, frame.readInt16BE(8)))
      const answer = (...parts: Buffer[]) => client.write(framed(int(correlation, 4), ...parts))
      if (api === HANDSHAKE) {
        const name = body.toString('utf8', 2, 2 + body.readInt16BE(0))
        mechanism = mechanisms.find((one) => one === name) ?? null
        dialogue = mechanism && login(mechanism, of.username, of.password)
        dialogue?.next()
        answer(int(dialogue ? 0 : 33, 2), int(mechanisms.length, 4), ...mechanisms.map(text))
      } else if (api === AUTHENTICATE) {
        const step = dialogue?.next(body.toString('utf8', 4)).value ?? null
        if (!step) {
          seen.refused++
          answer(int(58, 2), text('Authentication failed'), int(0, 4))
        } else {
          if (step.over) {
            entered = true
            seen.logins.push(mechanism ?? '')
          }
          answer(int(0, 2), int(-1, 2), int(Buffer.byteLength(step.reply), 4), Buffer.from(step.reply))
        }
      } else if (api === API_VERSIONS || entered) {
        asked.set(correlation, api)
        cluster.write(framed(frame))
      } else {
        seen.early++
        client.destroy()
      }
    })
    frames(cluster, (frame) => {
      const api = asked.get(frame.readInt32BE(0))
      asked.delete(frame.readInt32BE(0))
      if (api === API_VERSIONS) {
        const count = frame.readInt32BE(6)
        const more = [HANDSHAKE, AUTHENTICATE].flatMap((key) => [int(key ?? 0, 2), int(0, 2), int(0, 2)])
        const end = 10 + 6 * count
        client.write(
          framed(
            frame.subarray(0, 6),
            int(count + 2, 4),
            frame.subarray(10, end),
            ...more,
            frame.subarray(end),
          ),
        )
        return
      }
      // The cluster names itself: clients are to come back through the door.
      const own = Buffer.concat([text('127.0.0.1'), int(clusterPort, 4)])
      for (let at = frame.indexOf(own); at !== -1; at = frame.indexOf(own, at + 1))
        frame.writeInt32BE(port, at + own.length - 4)
      client.write(framed(frame))
    })
  }

  const server: Server = certificate
    ? createSecure({ key: certificate.private, cert: certificate.cert }, serve)
    : createPlain(serve)
  server.on('error', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
  return {
    address: `${of.secure ? 'kafkas' : 'kafka'}://127.0.0.1:${port}`,
    certificate: certificate?.cert ?? '',
    seen,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((done) => server.close(() => done()))
    },
  }
}
