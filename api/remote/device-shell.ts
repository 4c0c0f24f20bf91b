/** Commands in the shell of a device, over an SSH connection that is logged in. */
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientChannel } from 'ssh2'
import { awaitLine } from './line-bounds.ts'

const SAID_MAX = 1024 * 1024
/** A command that was broken off may take so long to end on the device. */
const LEAVING_MS = 10_000
const RETRIES = 4
const RETRY_MS = 150

/** Quotes any text as one word for the shell. */
export const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`

/** Ends a command at once where there is a folder, or a link to one. */
export const notFolder = (path: string) => `[ ! -d ${quoted(path)} ] || { echo 'is a folder' >&2; exit 1; }`

/** `ended` resolves when the command has succeeded, else rejects with its output. */
export type Running = { channel: ClientChannel; ended: Promise<void> }

export type DeviceShell = {
  start(command: string): Promise<Running>
  /** @returns what it wrote. @throws when it fails */
  run(command: string): Promise<string>
}

/** @param line carries the connection of `client` */
export function deviceShell(client: Client, line: Duplex): DeviceShell {
  let brokenOffAt = Number.NEGATIVE_INFINITY
  const watch = (channel: ClientChannel) => {
    const close = channel.close.bind(channel)
    channel.close = (...given: Parameters<typeof close>) => {
      brokenOffAt = performance.now()
      return close(...given)
    }
  }
  const begin = (command: string) =>
    new Promise<Running>((done, fail) =>
      client.exec(command, (error, channel) => {
        if (error) return fail(error)
        awaitLine(channel, line)
        watch(channel)
        // Subscribed immediately: the end may be in the same packet as the beginning.
        const ended = new Promise<void>((succeeded, failed) => {
          let said = ''
          channel.stderr.on('data', (chunk) => {
            said = (said + String(chunk)).slice(-500)
          })
          let code: number | null = null
          channel.on('exit', (given) => {
            code = given
          })
          // Its output may arrive after its exit code.
          channel.on('close', () =>
            code === 0
              ? succeeded()
              : failed(new Error(said.trim() || `ended with ${code ?? 'no exit code'}`)),
          )
        })
        // Only code that awaits the end gets the error; an aborted transfer does not await it.
        ended.catch(() => undefined)
        done({ channel, ended })
      }),
    )
  /**
   * When a command that was broken off ends, Dropbear closes a channel that was opened meanwhile, without running its command: it is
   * tried again. One that the device refuses for good is refused again.
   */
  const start = async (command: string): Promise<Running> => {
    for (let tries = 0; ; tries++)
      try {
        return await begin(command)
      } catch (error) {
        if (tries >= RETRIES || performance.now() - brokenOffAt > LEAVING_MS) throw error
        await sleep(RETRY_MS)
      }
  }
  const run = async (command: string): Promise<string> => {
    const { channel, ended } = await start(command)
    let text = ''
    channel.on('data', (chunk: Buffer) => {
      text += String(chunk)
      if (text.length > SAID_MAX) channel.close()
    })
    const all = new Promise((done) => channel.once('end', done))
    await ended
    await all
    return text
  }
  return { start, run }
}
