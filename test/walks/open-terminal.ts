/** A terminal's WebSocket as a browser has it, without the browser: logged in, with what it has shown. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { TERMINAL_PATH, TERMINAL_PROTOCOL } from '#schema/remote/terminal-frame'
import { until } from './until.ts'

type Row = Record<string, unknown>
type Login = {
  username?: string
  password?: string
  origin?: string | undefined
  /** A shell to join instead of a login. */
  join?: { shell: string; from?: number } | undefined
}

export async function openTerminal(url: string, ticket: string, login: Login = {}) {
  const socket = new WebSocket(
    url.replace('http', 'ws') + TERMINAL_PATH,
    [TERMINAL_PROTOCOL, ticket],
    login.origin === undefined ? {} : { origin: login.origin },
  )
  const shown = { text: '', bytes: 0, said: [] as Row[] }
  let acknowledges = true
  socket.on('message', (chunk: Buffer, isBinary: boolean) => {
    if (!isBinary) return void shown.said.push(JSON.parse(String(chunk)))
    shown.bytes += chunk.length
    shown.text = (shown.text + String(chunk)).slice(-20_000)
    if (acknowledges) socket.send(JSON.stringify({ t: 'shown', bytes: chunk.length }))
  })
  await once(socket, 'open')
  const ask = (body: Row) => socket.send(JSON.stringify(body))
  const { username = 'root', password = '' } = login
  if (login.join) ask({ t: 'join', from: 0, ...login.join, columns: 100, rows: 30 })
  else ask({ t: 'login', username, password, columns: 80, rows: 24 })
  await until('an answer to the login', () => shown.said.length > 0)
  return {
    socket,
    shown,
    ask,
    type: (text: string) => socket.send(Buffer.from(text)),
    sees: (text: string) =>
      until(`the terminal shows ${text}`, () => shown.text.includes(text), 10_000).catch((error: Error) => {
        throw new Error(`${error.message}; it shows ${JSON.stringify(shown.text.slice(-600))}`)
      }),
    acknowledge: (yes: boolean) => {
      acknowledges = yes
    },
  }
}
