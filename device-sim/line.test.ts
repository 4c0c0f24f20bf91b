import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { generate } from 'selfsigned'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ENROLMENT_KEY, type FakeCloud, startFakeCloud, until } from './fake-cloud.ts'
import { Line } from './line.ts'
import { startWheel } from './wheel.ts'

const sn = 'RT24000001'
let dataDir: string
let cloud: FakeCloud

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
  cloud = await startFakeCloud()
})
afterEach(async () => {
  await cloud.close()
  rmSync(dataDir, { recursive: true })
})

describe('a line', () => {
  const open = (port: number, keepaliveS: number) => {
    const wheel = startWheel(5)
    const line = new Line({
      url: new URL(`mqtt://127.0.0.1:${port}`),
      clientId: sn,
      username: sn,
      password: ENROLMENT_KEY,
      keepaliveS,
      wheel,
      onMessage: () => Promise.resolve(),
    })
    return { line, wheel }
  }

  it('ends itself when the broker goes silent', async () => {
    // Responds to CONNECT, and to nothing after that.
    const mute = createServer((socket) =>
      socket.once('data', () => socket.write(Buffer.from([0x20, 2, 0, 0]))),
    )
    await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done))
    const { line, wheel } = open((mute.address() as AddressInfo).port, 1)
    await line.open()
    expect(await line.closed).toBe('the broker went silent')
    wheel.close()
    mute.close()
  })

  it('sends in one piece what is published in one turn', async () => {
    const pieces: number[] = []
    const ear = createServer((socket) =>
      socket.on('data', (bytes) => {
        pieces.push(bytes.length)
        if (pieces.length === 1) socket.write(Buffer.from([0x20, 2, 0, 0]))
      }),
    )
    await new Promise<void>((done) => ear.listen(0, '127.0.0.1', done))
    const { line, wheel } = open((ear.address() as AddressInfo).port, 60)
    await line.open()
    for (let i = 0; i < 5; i++) line.publish(`v1/${sn}/up/log`, '{}').catch(() => undefined)
    await until('the second piece', () => pieces.length > 1)
    // Two bytes of header, two of a length and two of an id beside topic and body.
    expect(pieces.slice(1)).toEqual([5 * (2 + 2 + `v1/${sn}/up/log`.length + 2 + 2)])
    line.destroy('over')
    await line.closed
    wheel.close()
    ear.close()
  })

  it('rejects all pending operations when it breaks', async () => {
    const { line, wheel } = open(cloud.port, 60)
    await line.open()
    const waiting = line.publish(`v1/${sn}/up/enrol`, '{}')
    line.destroy('the radio is gone')
    await expect(waiting).rejects.toThrow('the radio is gone')
    await expect(line.publish('x', 'y')).rejects.toThrow('the radio is gone')
    expect(await line.closed).toBe('the radio is gone')
    wheel.close()
  })

  it('reports the code with which the broker refused', async () => {
    cloud.door.closed = true
    const { line, wheel } = open(cloud.port, 60)
    await expect(line.open()).rejects.toMatchObject({ returnCode: 5 })
    wheel.close()
  })
})

describe('TLS', () => {
  it('is used with mqtts://, and the certificate is verified', async () => {
    const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    })
    const server = createTlsServer({ key: pems.private, cert: pems.cert }, (socket) =>
      cloud.aedes.handle(socket),
    )
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((done) => server.listen(0, 'localhost', done))
    writeFileSync(join(dataDir, 'ca.pem'), pems.cert)
    const run = (ca: string | undefined) =>
      spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
        env: {
          MQTT_URL: `mqtts://localhost:${(server.address() as AddressInfo).port}`,
          SIM_DEVICES: '1',
          SIM_ENROLMENT_KEY: ENROLMENT_KEY,
          DATA_DIR: dataDir,
          LOG_LEVEL: 'fatal',
          ...(ca && { NODE_EXTRA_CA_CERTS: ca }),
        },
        stdio: 'ignore',
      })
    const stranger = run(undefined)
    await new Promise((done) => setTimeout(done, 1500))
    expect(cloud.heard).toEqual([])
    const gone = new Promise((done) => stranger.once('exit', done))
    stranger.kill('SIGKILL')
    await gone
    const child = run(join(dataDir, 'ca.pem'))
    try {
      await until('hello over TLS', () => cloud.of(sn, 'hello').length > 0)
    } finally {
      child.kill('SIGKILL')
      server.close()
    }
  })
})
