/** What a hostile device says over SFTP: it ends, and nothing of it is taken for more than it is. */
import { EventEmitter } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Readable } from 'node:stream'
import ssh2, { type SFTPWrapper } from 'ssh2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostKeyFile } from '#infra/remote-key'
import { FOLDER_MAX } from '#schema/remote/remote-file'
import { until } from '#test/walks/until'
import type { DeviceFiles } from './device-file.ts'
import { openDeviceFiles } from './device-files.ts'
import { Tunnel } from './tunnels.ts'
import { begun, upTo } from './up-to.ts'

const odd = Buffer.from('handle')
let asked = 0
function answer(sftp: SFTPWrapper): void {
  sftp.on('OPENDIR', (id, path) => {
    if (path !== '/odd-packet') return sftp.handle(id, odd)
    // A packet of a type that there is not.
    const { _protocol, outgoing } = sftp as never as {
      _protocol: { channelData(channel: number, data: Buffer): void }
      outgoing: { id: number }
    }
    _protocol.channelData(outgoing.id, Buffer.from([0, 0, 0, 1, 99]))
  })
  // Without an end, and without any attribute.
  sftp.on('READDIR', (id) => {
    asked++
    const name = (i: number) => ({ filename: `f${asked}-${i}`, longname: '', attrs: {} as never })
    sftp.name(
      id,
      Array.from({ length: 100 }, (_, i) => name(i)),
    )
  })
  sftp.on('STAT', (id) => sftp.attrs(id, {} as never))
  sftp.on('OPEN', (id, path) => sftp.handle(id, path.startsWith('/odd-') ? Buffer.from(path) : odd))
  sftp.on('READ', (id, handle, _at, length) => {
    if (String(handle) === '/odd-refused') sftp.status(id, 4, 'no more of it')
    else if (String(handle) !== '/odd-silent') sftp.data(id, Buffer.alloc(length, 'x'))
  })
  sftp.on('CLOSE', (id) => sftp.status(id, 0))
}

class HostileTunnel extends Tunnel {
  override async open() {
    const server = new ssh2.Server({ hostKeys: [hostKeyFile('x'.repeat(32))] }, (connection) => {
      connection.on('error', () => undefined)
      connection.on('authentication', (auth) => auth.accept())
      connection.on('session', (accept) => accept().on('sftp', (yes) => answer(yes())))
    })
    const listener = createServer((socket) => {
      listener.close()
      server.injectSocket(socket.on('error', () => socket.destroy()))
    })
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
    return connect((listener.address() as AddressInfo).port, '127.0.0.1') as never
  }
}

let tunnel: HostileTunnel
let files: DeviceFiles
let isOver = false
beforeAll(async () => {
  const line = Object.assign(new EventEmitter(), { end: () => undefined })
  tunnel = new HostileTunnel({} as never, line as never, { address: '', port: 0 })
  files = await openDeviceFiles(tunnel, { username: 'root', password: '' }, () => {
    isOver = true
  })
  expect(files.by).toBe('sftp')
})
afterAll(() => tunnel.close('ended'))

it('lists a folder without an end up to a bound, whose files have neither size nor time', async () => {
  const entries = await files.list('/')
  expect(entries.length).toBeGreaterThan(FOLDER_MAX)
  expect(entries.length).toBeLessThan(FOLDER_MAX * 3)
  expect(entries[0]).toEqual({ name: 'f1-0', type: 'other', sizeBytes: 0, modifiedAt: null })
  expect(await files.size('/any')).toBe(0)
})

it('breaks a file without an end off, and stops reading it', async () => {
  const read = files.read('/endless', 0)
  let taken = 0
  await expect(async () => {
    for await (const chunk of upTo(read, 1_000_000)) taken += (chunk as Buffer).length
  }).rejects.toThrow('more than one transfer may have')
  expect(taken).toBeLessThanOrEqual(1_000_000)
  expect(read.destroyed).toBe(true)
  const whole = upTo(Readable.from([Buffer.from('ab'), Buffer.from('c')]), 3)
  expect(String(Buffer.concat((await whole.toArray()) as Buffer[]))).toBe('abc')
})

it('says why a file cannot be read before anything is sent of it, also where the device says nothing', async () => {
  await expect(begun(upTo(files.read('/odd-refused', 0), 9))).rejects.toThrow('no more of it')
  const silent = upTo(files.read('/odd-silent', 0), 9)
  await expect(begun(silent, 50)).rejects.toThrow('no answer')
  expect(silent.destroyed).toBe(true)
  for (const text of ['', 'abc']) {
    const whole = await begun(upTo(Readable.from(text === '' ? [] : [Buffer.from(text)]), 3))
    expect(String(Buffer.concat((await whole.toArray()) as Buffer[]))).toBe(text)
  }
})

it('fails at once where the device breaks the protocol', async () => {
  await expect(files.list('/odd-packet')).rejects.toThrow()
  // And whoever holds them hears it: nothing that is asked of them later would be answered.
  await until('the connection is over', () => isOver)
})
