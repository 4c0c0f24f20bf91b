import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { afterAll, expect, it } from 'vitest'
import { readCertificate } from './certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'iot-certificate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const env = {
  DATA_DIR: folder,
  PUBLIC_URL: 'https://iot.example.com',
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
