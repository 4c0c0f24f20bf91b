/** The certificate of MQTTS: the operator's, or a self-signed one created at first start. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { type Env, SettingError } from '#infra/env'

const YEARS = 10

function read(file: string, setting: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SettingError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

export async function readCertificate(env: Env): Promise<{ cert: Buffer; key: Buffer }> {
  if (env.TLS_CERT && env.TLS_KEY)
    return { cert: read(env.TLS_CERT, 'TLS_CERT'), key: read(env.TLS_KEY, 'TLS_KEY') }
  const cert = join(env.DATA_DIR, 'mqtts-cert.pem')
  const key = join(env.DATA_DIR, 'mqtts-key.pem')
  if (!existsSync(cert) || !existsSync(key)) {
    const host = new URL(env.PUBLIC_URL).hostname
    const made = await generate([{ name: 'commonName', value: host }], {
      keyType: 'ec',
      curve: 'P-256',
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
    writeFileSync(key, made.private, { mode: 0o600 })
    writeFileSync(cert, made.cert)
  }
  return { cert: readFileSync(cert), key: readFileSync(key) }
}
