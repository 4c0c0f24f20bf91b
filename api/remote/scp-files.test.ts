/** Files over scp: with the real program of this machine as that of the device, and with hostile ones. */
import { randomBytes, randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasScp, holdShell } from '#test/shell-device'
import type { DeviceFiles } from './device-file.ts'
import type { DeviceShell } from './device-shell.ts'
import { scpFiles } from './scp-files.ts'
import { upTo } from './up-to.ts'

if (!hasScp) console.warn('SKIPPED: files over scp, because scp is not installed')

describe.skipIf(!hasScp)('a device with scp', () => {
  let files: DeviceFiles
  let folder: string
  let held: Awaited<ReturnType<typeof holdShell>>
  const at = (name: string) => join(folder, name)
  beforeAll(async () => {
    held = await holdShell(randomUUID(), { scp: true })
    folder = held.folder
    files = held.tunnel.files.get('login') as DeviceFiles
  })
  afterAll(() => held.tunnel.close('ended'))

  it('sends and takes whole files by it, whatever they are called, and the rest of one by its shell', async () => {
    expect(files.by).toBe('scp')
    const content = randomBytes(3_000_000)
    for (const name of ['plain', "it's $(touch x); `id`", '-rf', '网络 配置']) {
      await files.write(
        at(name),
        0,
        Readable.from([content.subarray(0, 1), content.subarray(1)]),
        content.length,
      )
      expect(readFileSync(at(name)).equals(content)).toBe(true)
      expect((await buffer(files.read(at(name), 0))).equals(content)).toBe(true)
      expect((await buffer(files.read(at(name), 2_999_990))).equals(content.subarray(2_999_990))).toBe(true)
      await files.remove(at(name))
    }
    expect((await files.list(folder)).map(({ name }) => name)).toEqual(['file'])
    await files.write(at('empty'), 0, Readable.from([]), 0)
    expect(await buffer(files.read(at('empty'), 0))).toHaveLength(0)
    await files.remove(at('empty'))
  })

  it('keeps what came of a file that broke off, and goes on from there', async () => {
    const content = randomBytes(500_000)
    await files.write(at('part'), 0, Readable.from([content.subarray(0, 200_000)]), content.length)
    const there = (await files.size(at('part'))) ?? 0
    expect(there).toBeGreaterThan(100_000)
    await files.write(at('part'), there, Readable.from([content.subarray(there)]), content.length - there)
    expect(readFileSync(at('part')).equals(content)).toBe(true)
    await files.remove(at('part'))
  })

  it('reads a file of the kernel, which says that it is empty', async () => {
    expect(String(await buffer(files.read('/proc/self/status', 0)))).toContain('Name:')
  })

  it('follows links when it reads, replaces a link itself, and puts nothing into a folder in whose place it should be', async () => {
    writeFileSync(at('target'), 'of the target')
    symlinkSync(at('target'), at('link'))
    expect(String(await buffer(files.read(at('link'), 0)))).toBe('of the target')
    await files.write(at('link.part'), 0, Readable.from([Buffer.from('new')]), 3)
    await files.rename(at('link.part'), at('link'))
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(false)
    expect(readFileSync(at('target'), 'utf8')).toBe('of the target')
    mkdirSync(at('sub'))
    symlinkSync(at('sub'), at('sublink'))
    for (const name of ['sub', 'sublink']) {
      await expect(files.write(at(name), 0, Readable.from([Buffer.from('x')]), 1)).rejects.toThrow(
        'is a folder',
      )
      await expect(files.rename(at('link'), at(name))).rejects.toThrow('is a folder')
    }
    expect(readdirSync(at('sub'))).toEqual([])
    // A circle of links, and one that leads nowhere.
    symlinkSync(at('round'), at('round'))
    symlinkSync('/nowhere', at('dangling'))
    for (const name of ['round', 'dangling']) {
      expect(await files.size(at(name))).toBeNull()
      await expect(buffer(files.read(at(name), 0))).rejects.toThrow()
      await files.remove(at(name))
    }
  })

  it('returns the error message of the device', async () => {
    await expect(buffer(files.read('/nowhere', 0))).rejects.toThrow(/No such file/)
    await expect(buffer(files.read(folder, 0))).rejects.toThrow(/not a regular file/)
    await expect(files.write('/nowhere/x', 0, Readable.from([Buffer.alloc(9)]), 9)).rejects.toThrow(
      /No such file/,
    )
  })
})

/** A device that says `said` to everything, and then nothing. */
function hostile(said: Buffer, more?: Buffer) {
  const channel = Object.assign(new PassThrough(), { close: vi.fn(() => void channel.destroy()) })
  channel._write = (_chunk, _encoding, done) => done()
  channel.push(said)
  const endless = more && setInterval(() => channel.push(more), 1)
  channel.once('close', () => clearInterval(endless))
  const shell: DeviceShell = {
    start: async () => ({ channel: channel as never, ended: new Promise(() => undefined) }),
    run: async () => '',
  }
  return { files: scpFiles(shell, {} as DeviceFiles), channel }
}

it('takes no message, size or line of a hostile device for more than it is', async () => {
  for (const said of [
    'C0644 -1 x\n',
    'C0644 99999999999999999999 x\n',
    'C0644 1e9 x\n',
    'D0755 0 x\n',
    'T1 0 1 0\n',
    '\u0002you are not allowed\n',
    `C0644 1 ${'x'.repeat(10_000)}`,
  ])
    await expect(buffer(hostile(Buffer.from(said)).files.read('/x', 0)), said).rejects.toThrow()
  const { files, channel } = hostile(Buffer.from('C0644 900000000000000 x\n'), Buffer.alloc(60_000))
  await expect(buffer(upTo(files.read('/x', 0), 1_000_000))).rejects.toThrow(
    'more than one transfer may have',
  )
  await expect.poll(() => channel.close).toHaveBeenCalled()
})

it('lets go of a device that stalls, when its user leaves', async () => {
  const { files, channel } = hostile(Buffer.from('C0644 10 x\n'))
  const read = files.read('/x', 0)
  read.resume()
  await new Promise((done) => setTimeout(done, 50))
  read.destroy()
  await expect.poll(() => channel.close).toHaveBeenCalled()
})
