/**
 * Whole files by `scp -f` and `scp -t` of the device, which Dropbear brings along where there is no SFTP. Its protocol
 * knows neither folders nor the middle of a file: those are left to shell commands.
 *
 * Each side confirms what the other one sends with a zero byte, or with 1 or 2 and a line of text. A file is the line
 * `C0644 SIZE NAME`, its bytes, and a zero byte.
 */
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DeviceFiles } from './device-file.ts'
import { type DeviceShell, notFolder, quoted, type Running } from './device-shell.ts'

const OK = Buffer.from([0])
const LINE_MAX = 4_096

/** One run of `scp`. */
class Transfer {
  readonly #running: Running
  readonly #source: AsyncIterator<Buffer>
  #held = Buffer.alloc(0)

  constructor(running: Running) {
    this.#running = running
    this.#source = running.channel[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** From one byte to `most`. @throws what the device says when it ends */
  async piece(most: number): Promise<Buffer> {
    while (this.#held.length === 0) {
      const { value, done } = await this.#source
        .next()
        .catch(() => ({ value: undefined, done: true as const }))
      if (done) {
        await this.#running.ended
        throw new Error('ended early')
      }
      this.#held = value as Buffer<ArrayBuffer>
    }
    const piece = this.#held.subarray(0, most)
    this.#held = this.#held.subarray(piece.length)
    return piece
  }

  async line(): Promise<string> {
    let text = ''
    while (!text.endsWith('\n')) {
      if (text.length > LINE_MAX) throw new Error('a line without an end')
      text += (await this.piece(1)).toString('latin1')
    }
    return Buffer.from(text.trimEnd(), 'latin1').toString()
  }

  /** @throws the message of the device */
  async confirmed(): Promise<void> {
    const [code] = await this.piece(1)
    if (code === 1 || code === 2) throw new Error(await this.line())
    if (code !== 0) throw new Error('not scp')
  }

  /** Resolves when there is room for more. */
  async send(bytes: Buffer | string): Promise<void> {
    const { channel, ended } = this.#running
    if (channel.write(bytes)) return
    const over = ended.then(() => {
      throw new Error('ended early')
    })
    await Promise.race([new Promise<void>((done) => channel.write('', () => done())), over])
  }

  /** Nothing more is sent. @throws what the device says when it has failed */
  async over(): Promise<void> {
    this.#running.channel.end()
    // Its end is only seen by who reads up to it.
    for (let read = await this.#source.next(); !read.done; ) read = await this.#source.next()
    await this.#running.ended
  }

  close(): void {
    this.#running.channel.close()
  }
}

/** What `-f` announces. @throws its message; that of a folder is one, too */
function sizeIn(line: string): number {
  const [, size] = /^C[0-7]{4} (\d{1,15}) ./.exec(line) ?? []
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they begin a message
  if (size === undefined) throw new Error(line.replace(/^[\x01\x02]/, ''))
  return Number(size)
}

async function* contents(
  shell: DeviceShell,
  path: string,
  began: (transfer: Transfer) => void,
  other: () => Readable,
) {
  const transfer = new Transfer(await shell.start(`exec scp -f ${quoted(path)}`))
  began(transfer)
  try {
    await transfer.send(OK)
    let left = sizeIn(await transfer.line())
    // Empty, or one of the kernel's files, whose size nobody knows before they are read.
    if (left === 0) return yield* other()
    await transfer.send(OK)
    while (left > 0) {
      const piece = await transfer.piece(left)
      left -= piece.length
      yield piece
    }
    await transfer.confirmed()
    await transfer.send(OK)
  } finally {
    transfer.close()
  }
}

/** @param byShell does what scp cannot */
export function scpFiles(shell: DeviceShell, byShell: DeviceFiles): DeviceFiles {
  return {
    ...byShell,
    by: 'scp',
    read: (path, from) => {
      if (from > 0) return byShell.read(path, from)
      const out = new PassThrough()
      let opened: Transfer | undefined
      const began = (transfer: Transfer) => {
        opened = transfer
        if (out.destroyed) transfer.close()
      }
      // Before its source, which waits for the device: one that stalls must not keep the transfer of a user who has left.
      out.once('close', () => opened?.close())
      pipeline(
        contents(shell, path, began, () => byShell.read(path, 0)),
        out,
      ).catch(() => undefined)
      return out
    },
    write: async (path, from, source, length) => {
      if (from > 0) return byShell.write(path, from, source, length)
      // Otherwise it would write into the folder.
      const transfer = new Transfer(await shell.start(`${notFolder(path)}; exec scp -t ${quoted(path)}`))
      try {
        await transfer.confirmed()
        await transfer.send(`C0644 ${length} file\n`)
        await transfer.confirmed()
        let sent = 0
        for await (const chunk of source) {
          sent += chunk.length
          await transfer.send(chunk)
        }
        if (sent === length) {
          await transfer.send(OK)
          await transfer.confirmed()
        }
        // A file that came in part stays in part; who asked for it looks how much there is.
        await transfer.over().catch((error: unknown) => {
          if (sent === length) throw error
        })
      } finally {
        transfer.close()
      }
    },
  }
}
