import { createHash } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { uploadBackup } from '#schema/device/commands/backup'
import { obeys } from '../command.ts'
import { packTarGz } from '../tar-gz.ts'
import type { Part } from '../world.ts'

const TRIES = 4
const ANSWER_MS = 15_000

type Target = { url: string; username: string; password: string }

/** The HTTP status of one PUT; 0 without a response. */
function put({ url, username, password }: Target, body: Buffer, part: Part): Promise<number> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((done) => {
    const request = send(url, {
      method: 'PUT',
      auth: `${username}:${password}`,
      headers: { 'content-type': 'application/gzip', 'content-length': body.length },
      agent: false,
      signal: AbortSignal.any([part.power, part.lost()]),
      timeout: ANSWER_MS,
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => done(0))
    request.on('response', (response) => {
      response.resume()
      done(response.statusCode ?? 0)
    })
    request.end(body)
  })
}

export const obeyUploadBackup = obeys(uploadBackup, async (part, { maxBytes, ...target }) => {
  const body = packTarGz(part.config.files, part.now())
  if (body.length > maxBytes) throw new Error(`the backup has ${body.length} bytes`)
  let status = 0
  for (let tried = 1; tried <= TRIES; tried++) {
    await part.network()
    status = await put(target, body, part)
    if (status === 200 || status === 201) {
      part.note('notice', 'backup', `configuration uploaded, ${body.length} bytes`)
      return { sizeBytes: body.length, sha256: createHash('sha256').update(body).digest('hex') }
    }
    if (status >= 400 && status < 500) break
    await part.world.wheel.sleep(part.world.retryPauseMs * tried, part.power)
  }
  throw new Error(status === 0 ? 'the platform cannot be reached by HTTP' : `HTTP ${status}`)
})
