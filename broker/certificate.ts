/**
 * The certificate of MQTTS: the operator's, or a self-signed one created at first start. A renewed one is used for new
 * connections, without a restart; one that ends soon is reported.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { generate } from 'selfsigned'
import type { Context } from '#infra/context'
import { type Env, keepFirst, SettingError } from '#infra/env'
import { hostOf } from '#infra/settings/host-of'
import { splitHostPort } from '#schema/platform/host-port'

const YEARS = 10
const CURVE = 'P-256'
const pem = { type: 'pkcs8', format: 'pem' } as const
const READ_MS = 60_000
/** ACME clients renew a month before the end. */
const SOON_MS = 14 * 86_400_000
const REMIND_MS = 86_400_000

type Given = Pick<Env, 'DATA_DIR' | 'PUBLIC_URL' | 'MQTTS_ADDRESS' | 'TLS_CERT' | 'TLS_KEY'>
type Pair = { cert: Buffer; key: Buffer }

function read(file: string, setting: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SettingError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Clients compare an IP address with addresses only. */
const altName = (host: string) =>
  isIP(host) === 0 ? ({ type: 2, value: host } as const) : ({ type: 7, ip: host } as const)

async function certify(key: string, { PUBLIC_URL, MQTTS_ADDRESS }: Given): Promise<string> {
  const host = hostOf(new URL(PUBLIC_URL))
  const own = splitHostPort(MQTTS_ADDRESS ?? '').host || host
  const made = await generate([{ name: 'commonName', value: own }], {
    keyType: 'ec',
    curve: CURVE,
    keyPair: {
      privateKey: key,
      publicKey: String(createPublicKey(key).export({ type: 'spki', format: 'pem' })),
    },
    notAfterDate: new Date(Date.now() + YEARS * 365 * 86_400_000),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [...new Set([own, host, 'localhost', '127.0.0.1'])].map(altName),
      },
    ],
  })
  return made.cert
}

export async function readCertificate(env: Given): Promise<Pair> {
  if (env.TLS_CERT && env.TLS_KEY)
    return { cert: read(env.TLS_CERT, 'TLS_CERT'), key: read(env.TLS_KEY, 'TLS_KEY') }
  const cert = join(env.DATA_DIR, 'mqtts-cert.pem')
  const key = join(env.DATA_DIR, 'mqtts-key.pem')
  // Brokers that share the folder start at once: there is one key, and every certificate is made for it.
  if (!existsSync(key))
    keepFirst(key, String(generateKeyPairSync('ec', { namedCurve: CURVE }).privateKey.export(pem)))
  if (!existsSync(cert)) keepFirst(cert, await certify(readFileSync(key, 'utf8'), env))
  return { cert: readFileSync(cert), key: readFileSync(key) }
}

type Server = { setSecureContext(options: object): void }

/** What a TLS server is made of. @throws SettingError if certificate and key are none, or not of each other */
export async function readTls(env: Given) {
  const pair = await readCertificate(env)
  const options = { ...pair, minVersion: 'TLSv1.2' } as const
  try {
    createSecureContext(options)
    // OpenSSL compares only keys of one type: with a certificate for RSA and a key for ECDSA every handshake would fail.
    if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
      throw new Error('the key is of another certificate')
  } catch (error) {
    throw new SettingError(`TLS_CERT and TLS_KEY cannot be used together (${(error as Error).message})`)
  }
  return options
}

/** @param used what `server` was made of. The result ends it. */
export function followCertificate(
  server: Server,
  used: Pair,
  { env, log, now }: { env: Given } & Pick<Context, 'log' | 'now'>,
  everyMs: number = READ_MS,
): () => void {
  let current = used
  let said = ''
  let remindedAt = Number.NEGATIVE_INFINITY

  function remind(): void {
    const { validTo } = new X509Certificate(current.cert)
    const leftMs = Date.parse(validTo) - now().getTime()
    if (leftMs >= SOON_MS || performance.now() - remindedAt < REMIND_MS) return
    remindedAt = performance.now()
    if (leftMs <= 0)
      log.error({ validTo }, 'the certificate of MQTTS has ended: devices refuse it until it is renewed')
    else log.warn({ validTo }, 'the certificate of MQTTS ends soon: devices will refuse it')
  }

  async function follow(): Promise<void> {
    try {
      const next = await readTls(env)
      said = ''
      if (!next.cert.equals(current.cert) || !next.key.equals(current.key)) {
        server.setSecureContext(next)
        current = next
        remindedAt = Number.NEGATIVE_INFINITY
        const { validTo } = new X509Certificate(next.cert)
        log.info({ validTo }, 'the renewed certificate of MQTTS is used for new connections')
      }
    } catch (error) {
      // Also while one of two files is already replaced.
      const { message } = error as Error
      if (message !== said) log.warn({ err: error }, 'the former certificate of MQTTS stays in use')
      said = message
    }
    remind()
  }

  // Nobody renews the one that was made at the first start.
  if (!env.TLS_CERT) return () => undefined
  remind()
  const timer = setInterval(() => void follow(), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
