/** Sends a file as the raw body of an upload call, with a progress bar. */
import { createReadStream, statSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { dataOf, headers, platformUrl, refuseRedirect, unreachable } from './client.ts'
import { Exit, usage } from './exit.ts'
import { openBar } from './progress.ts'
import { unreadable } from './values.ts'

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : usage(`${file} is no file`)
}

/**
 * Exactly as many bytes as were announced: more would be taken for another request, and for missing ones the platform would wait.
 * @throws Exit 2 if the file has other ones, or cannot be read
 */
async function* contents(file: string, size: number, tell: (sent: number) => void): AsyncGenerator<Buffer> {
  let sent = 0
  const changed = () => usage(`${file} was changed while it was being sent`)
  try {
    for await (const chunk of createReadStream(file, { end: size })) {
      sent += chunk.length
      if (sent > size) changed()
      yield chunk
      tell(sent)
    }
  } catch (error) {
    if (error instanceof Exit) throw error
    unreadable(file, error)
  }
  if (sent < size) changed()
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
    const body = Readable.from(
      contents(file, size, (sent) =>
        bar.show(sent / size, `${(sent / 1e6).toFixed(1)} of ${(size / 1e6).toFixed(1)} MB`),
      ),
    )
    let answered = false
    request.on('response', (response) => {
      answered = true
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('error', fail).on('end', () => {
        // Refused early: node stops writing by itself, but would keep the connection open.
        body.destroy()
        request.destroy()
        done({ status: response.statusCode ?? 0, text, location: response.headers.location })
      })
    })
    // A refusal may arrive while the file is still being sent; then the broken pipe is expected.
    request.on('error', (error) => (answered ? undefined : fail(Object.assign(error, { cause: error }))))
    body.on('error', (error) => {
      fail(error)
      request.destroy()
    })
    body.pipe(request)
  })
  try {
    const { status, text, location } = await answer.catch(unreachable)
    refuseRedirect(status, location)
    return dataOf(text, status) as ReplyOf<C>
  } finally {
    bar.end()
  }
}
