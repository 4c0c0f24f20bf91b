/** Files by shell commands that every OpenWrt has: stock Dropbear has no SFTP, and `scp` cannot resume. */
import { type Duplex, PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client, ClientChannel } from 'ssh2'
import type { DeviceFile, DeviceFiles } from './device-file.ts'
import { awaitLine } from './line-bounds.ts'

const SAID_MAX = 1024 * 1024

/** Quotes any text as one word for the shell. */
const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`

const types: Record<string, DeviceFile['type']> = { '-': 'file', d: 'folder', l: 'link' }

/**
 * `ls -lnA`. BusyBox prints unknown characters, including Chinese ones, as `?`: such a file is listed, but cannot be
 * opened from the list. A line is mode, links, owner, group, size, three words of a date in the device's own zone,
 * name.
 */
const LINE = /^([-a-z])\S*\s+\d+\s+\d+\s+\d+\s+(\d+)\s+\S+\s+\S+\s+\S+\s(.+)$/

export function parseLs(text: string): DeviceFile[] {
  return text.split('\n').flatMap((line) => {
    const [, letter = '', size = '', shown = ''] = LINE.exec(line) ?? []
    if (letter === '') return []
    const type = types[letter] ?? 'other'
    const name = type === 'link' ? (shown.split(' -> ')[0] ?? shown) : shown
    return [{ name, type, sizeBytes: Number(size), modifiedAt: null }]
  })
}

export function shellFiles(client: Client, line: Duplex): DeviceFiles {
  /** `ended` resolves when the command has succeeded, else rejects with its output. */
  const start = (command: string) =>
    new Promise<{ channel: ClientChannel; ended: Promise<void> }>((done, fail) =>
      client.exec(command, (error, channel) => {
        if (error) return fail(error)
        awaitLine(channel, line)
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
  return {
    by: 'shell',
    list: async (path) =>
      parseLs(await run(`LC_ALL=en_US.UTF-8 ls -lnA ${quoted(path.replace(/\/?$/, '/'))}`)),
    size: async (path) => {
      const text = await run(`[ -f ${quoted(path)} ] && wc -c <${quoted(path)} || echo none`)
      return /^\d+$/.test(text.trim()) ? Number(text) : null
    },
    read: (path, from): Readable => {
      const out = new PassThrough()
      start(`tail -c +${from + 1} ${quoted(path)}`).then(
        ({ channel, ended }) => {
          out.on('close', () => channel.close())
          channel.pipe(out, { end: false })
          const data = new Promise((done) => channel.once('end', done))
          Promise.all([ended, data]).then(
            () => out.end(),
            (error: Error) => out.destroy(error),
          )
        },
        (error: Error) => out.destroy(error),
      )
      return out
    },
    write: async (path, from, source) => {
      const { channel, ended } = await start(`cat ${from > 0 ? '>>' : '>'}${quoted(path)}`)
      channel.resume()
      await pipeline(source, channel)
      await ended
    },
    rename: async (from, to) => void (await run(`mv ${quoted(from)} ${quoted(to)}`)),
    remove: async (path) =>
      void (await run(
        `if [ -d ${quoted(path)} ] && [ ! -L ${quoted(path)} ]; then rmdir ${quoted(path)}; else rm ${quoted(path)}; fi`,
      )),
    close: () => client.end(),
  }
}
