/** For the simulator's own tests: a file server with basic authentication, ranges, and simulated faults. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { OfferInput } from './fake-cloud.ts'

export type Misbehaviour = {
  status?: number
  /** Breaks the connection after this many bytes of each response. */
  breakAfter?: number
  /** Sends this many bytes, then nothing. */
  stallAfter?: number
  ignoreRanges?: boolean
  /** Accepts connections but never responds. */
  mute?: boolean
}
export type Asked = { range: string | null; sent: number }

export const USER = 'device'
export const PASSWORD = 'right'

export async function startFakeFiles(bytes: Buffer = gzipSync(randomBytes(60_000))) {
  const misbehave: Misbehaviour = {}
  const asked: Asked[] = []
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`
  const answer = (range: string | null, response: ServerResponse) => {
    const start = range && !misbehave.ignoreRanges ? Number(/^bytes=(\d+)-$/.exec(range)?.[1]) : 0
    response.writeHead(start > 0 ? 206 : 200, { etag, 'content-length': bytes.length - start })
    const cut = misbehave.breakAfter ?? misbehave.stallAfter ?? bytes.length
    const part = bytes.subarray(start, start + cut)
    asked.push({ range, sent: part.length })
    const whole = start + part.length >= bytes.length
    if (whole) response.end(part)
    else
      response.write(part, () => {
        if (misbehave.breakAfter) setTimeout(() => response.destroy(), 20)
      })
  }
  const server = createServer((request, response) => {
    const credentials = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString()
    const status =
      misbehave.status ??
      (credentials !== `${USER}:${PASSWORD}` ? 401 : request.url !== '/files/p' ? 404 : 200)
    if (misbehave.mute) return
    if (status === 200) return answer(request.headers.range ?? null, response)
    asked.push({ range: null, sent: 0 })
    response.writeHead(status).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    misbehave,
    asked,
    bytes,
    /** An offer of this file, with a new item id each time. */
    offer: (more: Partial<OfferInput> = {}): OfferInput => ({
      item: randomUUID(),
      type: 'upgrade',
      name: 'firmware',
      model: 'R200',
      version: '9.9.9',
      url: `http://127.0.0.1:${port}/files/p`,
      username: USER,
      password: PASSWORD,
      expiresAt: Date.now() + 60_000,
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      md5: createHash('md5').update(bytes).digest('hex'),
      keepConfig: true,
      ...more,
    }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
