import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  createServer,
  type PeerCertificate,
  type Server,
} from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, expect, it } from 'vitest'
import { SettingError } from '#infra/env'
import { openLog } from '#infra/log'
import { followCertificate, readCertificate, readTls } from './certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'iot-certificate-'))
const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
afterAll(async () => {
  for (const close of closing) await close()
})
const env = {
  DATA_DIR: folder,
  PUBLIC_URL: 'https://iot.example.com',
  MQTTS_ADDRESS: null,
  TLS_CERT: undefined,
  TLS_KEY: undefined,
}

it('brokers that start at once on one folder have the same certificate, and the key that it is for', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => readCertificate(env)))
  for (const { cert, key } of all) {
    expect(String(cert)).toBe(String(all[0]?.cert))
    expect(String(key)).toBe(String(all[0]?.key))
    // Throws if they do not belong together.
    createSecureContext({ cert, key })
  }
  const made = new X509Certificate(all[0]?.cert ?? '')
  expect(made.checkHost('iot.example.com')).toBe('iot.example.com')
  expect(made.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(new Date(made.validTo).getFullYear()).toBeGreaterThan(new Date().getFullYear() + 8)
  // A later start changes nothing, and nothing else is left in the folder.
  expect(String((await readCertificate(env)).cert)).toBe(String(all[0]?.cert))
  expect(readdirSync(folder).toSorted()).toEqual(['mqtts-cert.pem', 'mqtts-key.pem'])
})

it.each([
  ['http://192.0.2.7:8080', ':8883', ['192.0.2.7']],
  ['http://[2001:db8::7]:8080', null, ['2001:db8::7']],
  ['http://[2001:db8::7]:8080', '[2001:db8::7]:8883', ['2001:db8::7']],
  ['https://iot.example.com', 'mqtt.example.com:8883', ['mqtt.example.com', 'iot.example.com']],
  ['https://iot.example.com', '192.0.2.8:8883', ['192.0.2.8', 'iot.example.com']],
])('its certificate is for what devices connect to: %s, MQTTS at %s', async (publicUrl, address, hosts) => {
  const DATA_DIR = mkdtempSync(join(folder, 'named-'))
  const { cert } = await readCertificate({ ...env, DATA_DIR, PUBLIC_URL: publicUrl, MQTTS_ADDRESS: address })
  // As a client compares them; a name that is an address would be no name.
  const { subjectaltname, subject } = new X509Certificate(cert).toLegacyObject()
  for (const host of [...hosts, 'localhost', '127.0.0.1'])
    expect(checkServerIdentity(host, { subjectaltname, subject } as PeerCertificate)).toBeUndefined()
})

const own = { ...env, TLS_CERT: join(folder, 'own-cert.pem'), TLS_KEY: join(folder, 'own-key.pem') }
const DAY_MS = 86_400_000
const certified = (name: string, days: number) =>
  generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    curve: 'P-256',
    notAfterDate: new Date(Date.now() + days * DAY_MS),
  })

async function connected(server: Server) {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  closing.unshift(() => socket.destroy())
  return { socket, name: socket.getPeerCertificate().subject.CN }
}

it('a renewed certificate is used without a restart as soon as both files fit, and one that ends soon is reported', async () => {
  const [first, second] = [await certified('first', 90), await certified('second', 5)]
  writeFileSync(own.TLS_CERT, first.cert)
  writeFileSync(own.TLS_KEY, first.private)
  const used = await readTls(own)
  const server = createServer(used, (socket) => socket.on('error', () => undefined).pipe(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.unshift(() => server.close())
  const log = openLog('broker', 'silent')
  const said: string[] = []
  log.warn = (_fields: unknown, text?: string) => void said.push(text ?? '')
  closing.unshift(followCertificate(server, used, { env: own, log, now: () => new Date() }, 20))

  const before = await connected(server)
  expect(before.name).toBe('first')
  // The certificate is there before its key.
  writeFileSync(own.TLS_CERT, second.cert)
  await expect.poll(() => said).toEqual(['the former certificate of MQTTS stays in use'])
  await expect(readTls(own)).rejects.toBeInstanceOf(SettingError)
  expect((await connected(server)).name).toBe('first')
  writeFileSync(own.TLS_KEY, second.private)
  await expect.poll(async () => (await connected(server)).name).toBe('second')
  expect(said.slice(1)).toEqual(['the certificate of MQTTS ends soon: devices will refuse it'])
  // What was connected stays so.
  before.socket.write('still here')
  expect(String((await once(before.socket, 'data'))[0])).toBe('still here')
})

it('a key of another type than the certificate is refused: every handshake would fail', async () => {
  const rsa = await generate([{ name: 'commonName', value: 'rsa' }], { keyType: 'rsa', keySize: 2048 })
  const ec = await certified('ec', 90)
  for (const [cert, key] of [
    [rsa.cert, ec.private],
    [ec.cert, rsa.private],
  ] as const) {
    writeFileSync(own.TLS_CERT, cert)
    writeFileSync(own.TLS_KEY, key)
    await expect(readTls(own)).rejects.toBeInstanceOf(SettingError)
  }
  writeFileSync(own.TLS_CERT, rsa.cert)
  expect(await readTls(own)).toMatchObject({ key: Buffer.from(rsa.private) })
})

it('a certificate that has ended is an error, which says that devices refuse it now', async () => {
  const ended = await certified('ended', 5)
  const log = openLog('broker', 'silent')
  const said: string[] = []
  log.warn = (_fields: unknown, text?: string) => void said.push(`warn: ${text}`)
  log.error = (_fields: unknown, text?: string) => void said.push(`error: ${text}`)
  const used = { cert: Buffer.from(ended.cert), key: Buffer.from(ended.private) }
  const server = { setSecureContext: () => undefined }
  const now = () => new Date(Date.now() + 6 * 86_400_000)
  closing.unshift(followCertificate(server, used, { env: own, log, now }))
  expect(said).toEqual(['error: the certificate of MQTTS has ended: devices refuse it until it is renewed'])
})
