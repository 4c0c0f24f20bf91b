/** Sends a file as the raw body of an upload call, with a progress bar. */
import { createReadStream, statSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { dataOf, headers, platformUrl, refuseRedirect, unreachable } from './client.ts'
import { usage } from './exit.ts'
import { openBar } from './progress.ts'

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : usage(`${file} is no file`)
}

/** fetch provides neither the length of a stream nor its progress: node's own client does. */
export async function upload<C extends Call>(call: C, query: BodyOf<C>, file: string): Promise<ReplyOf<C>> {
  const size = sizeOf(file)
  const url = new URL(`${platformUrl()}${call.path}`)
  for (const [name, value] of Object.entries(query as Record<string, unknown>))
    if (value !== undefined) url.searchParams.set(name, String(value))
  const bar = openBar(file)
  const answer = new Promise<{ status: number; text: string; location: string | undefined }>((done, fail) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/gzip', 'content-length': size },
    })
    const source = createReadStream(file)
    let sent = 0
    let answered = false
    request.on('response', (response) => {
      answered = true
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('error', fail).on('end', () => {
        // Refused early: node stops writing by itself, but would keep the connection open.
        source.destroy()
        request.destroy()
        done({ status: response.statusCode ?? 0, text, location: response.headers.location })
      })
    })
    // A refusal may arrive while the file is still being sent; then the broken pipe is expected.
    request.on('error', (error) => (answered ? undefined : fail(Object.assign(error, { cause: error }))))
    source.on('data', (chunk) => {
      sent += chunk.length
      bar.show(sent / size, `${(sent / 1e6).toFixed(1)} of ${(size / 1e6).toFixed(1)} MB`)
    })
    source.on('error', fail).pipe(request)
  })
  try {
    const { status, text, location } = await answer.catch(unreachable)
    refuseRedirect(status, location)
    return dataOf(text, status) as ReplyOf<C>
  } finally {
    bar.end()
  }
}
