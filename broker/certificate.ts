/** The certificate of MQTTS: the operator's, or a self-signed one created at first start. */
import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { type Env, SettingError } from '#infra/env'

const YEARS = 10
const CURVE = 'P-256'
const pem = { type: 'pkcs8', format: 'pem' } as const

function read(file: string, setting: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SettingError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Writes the file as a whole, unless another broker on the same folder has been faster. */
function keepFirst(file: string, text: string): void {
  const own = `${file}.${randomUUID()}`
  writeFileSync(own, text, { mode: 0o600 })
  try {
    linkSync(own, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(own)
  }
}

async function certify(key: string, publicUrl: string): Promise<string> {
  const host = new URL(publicUrl).hostname
  const made = await generate([{ name: 'commonName', value: host }], {
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
        altNames: [
          { type: 2, value: host },
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  return made.cert
}

export async function readCertificate(
  env: Pick<Env, 'DATA_DIR' | 'PUBLIC_URL' | 'TLS_CERT' | 'TLS_KEY'>,
): Promise<{ cert: Buffer; key: Buffer }> {
  if (env.TLS_CERT && env.TLS_KEY)
    return { cert: read(env.TLS_CERT, 'TLS_CERT'), key: read(env.TLS_KEY, 'TLS_KEY') }
  const cert = join(env.DATA_DIR, 'mqtts-cert.pem')
  const key = join(env.DATA_DIR, 'mqtts-key.pem')
  // Brokers that share the folder start at once: there is one key, and every certificate is made for it.
  if (!existsSync(key))
    keepFirst(key, String(generateKeyPairSync('ec', { namedCurve: CURVE }).privateKey.export(pem)))
  if (!existsSync(cert)) keepFirst(cert, await certify(readFileSync(key, 'utf8'), env.PUBLIC_URL))
  return { cert: readFileSync(cert), key: readFileSync(key) }
}
