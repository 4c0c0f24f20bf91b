import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { hasBusybox, holdShell } from '#test/shell-device'
import type { DeviceFiles } from './device-file.ts'
import { openDeviceFiles } from './device-files.ts'
import { modeOf, parseLs, shellFiles } from './shell-files.ts'

if (!hasBusybox)
  console.warn('SKIPPED: files by the shell of BusyBox are tried with that of this machine instead')
let files: DeviceFiles
let folder: string
let tunnel: Awaited<ReturnType<typeof holdShell>>['tunnel']
beforeAll(async () => {
  const held = await holdShell(randomUUID())
  folder = held.folder
  tunnel = held.tunnel
  files = tunnel.files.get('login') as DeviceFiles
})
afterAll(() => tunnel.close('ended'))

it('is what a device without SFTP and scp gets', () => expect(files.by).toBe('shell'))

it('writes, continues, lists, reads from a place on, renames and deletes files, whatever they are called', async () => {
  for (const name of ['plain', "it's $(touch x); `id`", '-rf', '网络 配置']) {
    const path = join(folder, name)
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 256))
    await files.write(path, 0, Readable.from([content.subarray(0, 40_000)]), 40_000)
    expect(await files.size(path)).toBe(40_000)
    await files.write(path, 40_000, Readable.from([content.subarray(40_000)]), 30_000)
    expect(readFileSync(path).equals(content)).toBe(true)
    // BusyBox has no Chinese letters to show.
    const shown = hasBusybox ? name.replace(/\p{Script=Han}/gu, '?') : name
    expect(await files.list(folder)).toContainEqual({
      name: shown,
      type: 'file',
      sizeBytes: 70_000,
      modifiedAt: null,
    })
    expect((await buffer(files.read(path, 69_990))).equals(content.subarray(69_990))).toBe(true)
    await files.rename(path, join(folder, 'other'))
    expect(await files.size(path)).toBeNull()
    await files.remove(join(folder, 'other'))
  }
  expect((await files.list(folder)).map(({ name }) => name)).toEqual(['file'])
})

it('follows a link to a folder, and deletes the link, not its target', async () => {
  const link = join(folder, 'link')
  symlinkSync(folder, link)
  expect(await files.list(folder)).toContainEqual(expect.objectContaining({ name: 'link', type: 'link' }))
  expect((await files.list(link)).map(({ name }) => name)).toContain('file')
  await files.remove(link)
  expect((await files.list(folder)).map(({ name }) => name)).toEqual(['file'])
})

it('returns the error message of the device', async () => {
  await expect(files.list('/nowhere')).rejects.toThrow(/No such file/)
  await expect(files.write('/nowhere/x', 0, Readable.from([Buffer.alloc(9)]), 9)).rejects.toThrow()
  await expect(buffer(files.read('/nowhere', 0))).rejects.toThrow(/No such file/)
  writeFileSync(join(folder, 'x'), '')
  await expect(files.remove(folder)).rejects.toThrow(/not empty/i)
})

it('refuses a wrong password', async () => {
  await expect(openDeviceFiles(tunnel, { username: 'root', password: 'wrong' })).rejects.toThrow('password')
})

it('reads what BusyBox lists, and leaves out what is no line of it', () => {
  const text = `total 8
drwxr-xr-x    2 0        0             4096 Nov 23 03:10 config
-rw-r--r--    1 0        0              142 Jan  1  1970 a name
lrwxrwxrwx    1 0        0                7 Nov 23 03:10 bin -> usr/bin
crw-rw-rw-    1 0        0           1,   3 Nov 23 03:10 null
nonsense`
  expect(parseLs(text).map(({ name, type, sizeBytes }) => [name, type, sizeBytes])).toEqual([
    ['config', 'folder', 4096],
    ['a name', 'file', 142],
    ['bin', 'link', 7],
  ])
})

it('a file that replaces another keeps who may read and run it', async () => {
  const at = join(folder, 'script')
  for (const mode of [0o755, 0o600, 0o640]) {
    writeFileSync(at, 'old')
    chmodSync(at, mode)
    await files.write(`${at}.part`, 0, Readable.from([Buffer.from('new')]), 3)
    await files.rename(`${at}.part`, at)
    expect(readFileSync(at, 'utf8')).toBe('new')
    expect(statSync(at).mode & 0o777).toBe(mode)
  }
  await files.remove(at)
  expect(modeOf('-rwsr-x--T 1 0 0 3 Jan  1 00:00 x')).toBe('750')
  expect(modeOf('drwxr-xr-x 2 0 0 3 Jan  1 00:00 x')).toBe('')
})

it('says that a folder is one, instead of that there is nothing', async () => {
  await expect(files.size(folder)).rejects.toThrow('is a folder')
})

it('leaves no command running on the device for a reader who has left before it began', async () => {
  const begun = Promise.withResolvers<never>()
  const close = vi.fn()
  const channel = Object.assign(new PassThrough(), { close })
  const by = shellFiles({ start: () => begun.promise, run: () => Promise.resolve('') }, () => undefined)
  const reader = by.read('/tmp/log', 0)
  reader.destroy()
  await once(reader, 'close')
  begun.resolve({ channel, ended: new Promise(() => undefined) } as never)
  await expect.poll(() => close).toHaveBeenCalled()
})
