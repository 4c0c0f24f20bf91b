/** Files by shell commands that every OpenWrt has: for devices without SFTP, and for what `scp` cannot do. */
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DeviceFile, DeviceFiles } from './device-file.ts'
import { type DeviceShell, notFolder, quoted } from './device-shell.ts'

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

const MODE = /^-([-r][-w])([-xsS])([-r][-w])([-xsS])([-r][-w])([-xtT])/

/** Who may read, write and run a file, as `chmod` takes it; '' if the line is not about a file. */
export function modeOf(line: string): string {
  const [, ...parts] = MODE.exec(line) ?? []
  const digit = (at: number) =>
    (parts[at]?.startsWith('r') ? 4 : 0) +
    (parts[at]?.endsWith('w') ? 2 : 0) +
    (/[xst]/.test(parts[at + 1] ?? '') ? 1 : 0)
  return parts.length === 0 ? '' : `${digit(0)}${digit(2)}${digit(4)}`
}

/** @param close ends the connection */
export function shellFiles({ start, run }: DeviceShell, close: () => void): DeviceFiles {
  return {
    by: 'shell',
    list: async (path) =>
      parseLs(await run(`LC_ALL=en_US.UTF-8 ls -lnA ${quoted(path.replace(/\/?$/, '/'))}`)),
    size: async (path) => {
      const text = await run(
        `${notFolder(path)}; [ -f ${quoted(path)} ] && wc -c <${quoted(path)} || echo none`,
      )
      return /^\d+$/.test(text.trim()) ? Number(text) : null
    },
    read: (path, from): Readable => {
      const out = new PassThrough()
      start(`tail -c +${from + 1} ${quoted(path)}`).then(
        ({ channel, ended }) => {
          // Its reader may have left while the device was asked.
          if (out.destroyed) return channel.close()
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
    rename: async (from, to) => {
      // A script stays one that can be run, a key one that nobody else reads.
      const mode = modeOf(await run(`[ ! -f ${quoted(to)} ] || ls -lnL ${quoted(to)}`))
      const same = mode === '' ? '' : `chmod ${mode} ${quoted(from)} && `
      // Into a folder it would be moved.
      await run(`${notFolder(to)}; ${same}mv ${quoted(from)} ${quoted(to)}`)
    },
    remove: async (path) =>
      void (await run(
        `if [ -d ${quoted(path)} ] && [ ! -L ${quoted(path)} ]; then rmdir ${quoted(path)}; else rm ${quoted(path)}; fi`,
      )),
    close,
  }
}
