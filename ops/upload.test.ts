import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { uploadPackage } from '#schema/task/package'
import { exitCodes } from './exit.ts'
import { upload } from './upload.ts'

const folder = mkdtempSync(join(tmpdir(), 'iot-ops-'))
const server = createServer((request, response) => {
  let bytes = 0
  request
    .on('data', (part: Buffer) => {
      bytes += part.length
    })
    .on('end', () => response.end(JSON.stringify({ code: 0, data: { bytes }, message: '' })))
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
vi.stubEnv('IOT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
vi.stubEnv('IOT_TOKEN', 'x')
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
  server.closeAllConnections()
  return new Promise((done) => server.close(done))
})

const SIZE = 1_000_000
const query = { fileName: 'x.tar.gz', name: 'x', model: 'R200', version: '1.0' } as const

it.each([
  ['grows', (file: string) => appendFileSync(file, Buffer.alloc(SIZE))],
  ['shrinks', (file: string) => truncateSync(file, 1000)],
])('a file that %s while it is sent is named as the reason', async (how, change) => {
  const file = join(folder, how)
  writeFileSync(file, Buffer.alloc(SIZE))
  const sent = upload(uploadPackage, query, file)
  change(file)
  await expect(sent).rejects.toMatchObject({
    code: exitCodes.usage,
    message: `${file} was changed while it was being sent`,
  })
})

it.each([0, 65_536, SIZE])('a file of %d bytes is sent whole', async (size) => {
  const file = join(folder, 'whole')
  writeFileSync(file, Buffer.alloc(size))
  expect(await upload(uploadPackage, query, file)).toEqual({ bytes: size })
})
