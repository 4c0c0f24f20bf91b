/** Reads a declared call with server-sent events. EventSource cannot: it sends no header and no body. */
import type { BodyOf, Call } from '#schema/kit/call'
import { REQUEST_ID_HEADER } from '#schema/kit/envelope'
import { assertOwnLogin, headers } from './api.ts'
import { makeRequestId } from './server/request-id.ts'

/** The server sends a keepalive every 15 s. */
const SILENCE_MS = 40_000

/** Event by event of a text that comes in pieces; comments are left out. */
export function eventReader(onEvent: (event: string, data: string) => void): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const frames = (rest + piece).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const fields = new Map(
        frame
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      const data = fields.get('data')
      if (data !== undefined) onEvent(fields.get('event') ?? 'message', data)
    }
  }
}

/**
 * Returns when the server ends the stream. @throws when it cannot be opened, when it breaks off or stays silent, and
 * when aborted
 */
export async function readEvents<C extends Call>(
  call: C,
  body: BodyOf<C>,
  onEvent: (event: string, data: string) => void,
  signal: AbortSignal,
): Promise<void> {
  assertOwnLogin(call)
  const silent = new AbortController()
  let timer = setTimeout(() => silent.abort(), SILENCE_MS)
  try {
    const response = await fetch(call.path, {
      method: call.method,
      headers: { ...headers(), 'Content-Type': 'application/json', [REQUEST_ID_HEADER]: makeRequestId() },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, silent.signal]),
    })
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      throw new Error(`no stream: ${response.status}`)
    const hear = eventReader(onEvent)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), SILENCE_MS)
      hear(value)
    }
  } finally {
    clearTimeout(timer)
  }
}
