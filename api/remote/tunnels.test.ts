/** Channels of a tunnel: how many there may be, and what becomes of those that come too late. */
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Duplex } from 'node:stream'
import ssh2, { type Connection } from 'ssh2'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hostKeyFile } from '#infra/remote-key'
import { Tunnel } from './tunnels.ts'

const session = {
  id: 's',
  sn: 'SN-1',
  deviceId: 1,
  customerId: 1,
  userId: 1,
  kind: 'web' as const,
  scheme: 'http' as const,
  host: '127.0.0.1',
  port: 80,
  lanAddress: null,
  label: 'label',
}
type Answer = (error: Error | undefined, channel: Duplex) => void
let answers: Answer[]
let tunnel: Tunnel

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  const connection = Object.assign(new EventEmitter(), {
    end: () => undefined,
    forwardOut: (...given: unknown[]) => answers.push(given.at(-1) as Answer),
  }) as unknown as Connection
  tunnel = new Tunnel(session, connection, { address: '127.0.0.1', port: 2200 })
})
afterEach(() => {
  tunnel.close('ended')
  vi.useRealTimers()
})

const channel = () => new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })

it('one that the device opens after nobody waits for it is closed, and occupies no place', async () => {
  for (let i = 0; i < 32; i++) tunnel.open().catch(() => undefined)
  await vi.advanceTimersByTimeAsync(15_001)
  const late = answers.splice(0).map((answer) => {
    const made = channel()
    answer(undefined, made)
    return made
  })
  await vi.advanceTimersByTimeAsync(1)
  expect(late.every(({ destroyed }) => destroyed)).toBe(true)
  const next = tunnel.open()
  answers[0]?.(undefined, channel())
  expect(await next).toBeInstanceOf(Duplex)
})

it('those that the device has not answered yet are counted, too', async () => {
  for (let i = 0; i < 32; i++) tunnel.open().catch(() => undefined)
  const tooMany = () => expect(tunnel.open()).rejects.toThrow('too many connections')
  const refused = tooMany()
  await vi.advanceTimersByTimeAsync(15_001)
  await refused
  // The device has taken so many, and may still open them: only its answer frees their places.
  const again = tooMany()
  await vi.advanceTimersByTimeAsync(15_001)
  await again
  expect(answers).toHaveLength(32)
  answers[0]?.(new Error('refused'), channel())
  const next = tunnel.open()
  answers.at(-1)?.(undefined, channel())
  expect(await next).toBeInstanceOf(Duplex)
})

it('those beyond the limit wait for their turn, in their order, and no longer than the tunnel is open', async () => {
  const first = Array.from({ length: 32 }, () => tunnel.open())
  const opened: number[] = []
  const later = [1, 2, 3].map((n) => tunnel.open().then(() => opened.push(n)))
  for (const answer of answers) answer(undefined, channel())
  const [one, two] = await Promise.all(first)
  expect(answers).toHaveLength(32)
  one?.destroy()
  two?.destroy()
  await vi.advanceTimersByTimeAsync(1)
  expect(answers).toHaveLength(34)
  answers[32]?.(undefined, channel())
  answers[33]?.(undefined, channel())
  await Promise.all(later.slice(0, 2))
  expect(opened).toEqual([1, 2])
  const never = expect(later[2]).rejects.toThrow('the tunnel is closed')
  tunnel.close('ended')
  await never
})

it('of those that wait there are not endlessly many', async () => {
  const refused: unknown[] = []
  for (let i = 0; i < 32 + 300; i++) tunnel.open().catch((error: Error) => refused.push(error.message))
  await vi.advanceTimersByTimeAsync(1)
  expect(refused).toEqual(Array.from({ length: 300 - 256 }, () => 'too many connections'))
})

/** A tunnel over SSH, whose device sends without end through each of its channels. */
async function flooding(): Promise<{ made: Tunnel; end(): void }> {
  let made: Tunnel | undefined
  const server = new ssh2.Server({ hostKeys: [hostKeyFile('x'.repeat(32))] }, (connection) => {
    connection.on('error', () => undefined)
    connection.on('authentication', (auth) => auth.accept())
    connection.on('request', (accept, _reject, _name, asked) => {
      const { bindAddr: address, bindPort: port } = asked as { bindAddr: string; bindPort: number }
      made = new Tunnel(session, connection, { address, port })
      accept?.(port)
    })
  })
  const listener = createServer((socket) => {
    listener.close()
    server.injectSocket(socket)
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const device = new ssh2.Client()
  device.on('error', () => undefined)
  device.on('tcp connection', (_details, accept) => {
    const channel = accept()
    const send = () => {
      while (channel.writable && channel.write(Buffer.alloc(30_000)));
    }
    channel.on('drain', send)
    send()
  })
  device.connect({ port: (listener.address() as AddressInfo).port, username: 'x', password: 'x' })
  await once(device, 'ready')
  await new Promise<void>((done) => device.forwardIn('127.0.0.1', 2200, () => done()))
  if (!made) throw new Error('no tunnel')
  return { made, end: () => device.end() }
}

it('a download that its reader gives up half-way frees its place, however much of it is unread', async () => {
  vi.useRealTimers()
  const { made, end } = await flooding()
  for (let i = 0; i < 3; i++) {
    const download = await made.open()
    await once(download, 'data')
    download.pause()
    const closed = once(download, 'close')
    download.destroy()
    await closed
  }
  expect(made.closed).toBe(false)
  end()
  await once(made, 'close')
})
