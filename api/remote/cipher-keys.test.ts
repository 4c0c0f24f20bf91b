import { KeyObject, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ssh2, { type Client, type Connection } from 'ssh2'
import { afterEach, expect, it } from 'vitest'
import { hostKeyFile } from '#infra/remote-key'
import { keepCipherKeys } from './cipher-keys.ts'

const ends: (() => unknown)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A connection whose server echoes what channels carry. */
async function connected(cipher: string): Promise<{ client: Client; connection: Connection }> {
  const algorithms = { cipher: [cipher], hmac: ['hmac-sha2-256-etm@openssh.com'] } as never
  const server = new ssh2.Server({ hostKeys: [hostKeyFile('x'.repeat(32))], algorithms })
  const accepted = new Promise<Connection>((done) =>
    server.on('connection', (connection) => {
      keepCipherKeys(connection)
      connection.on('error', () => undefined)
      connection.on('authentication', (auth) => auth.accept())
      connection.on('tcpip', (accept) => {
        const channel = accept()
        channel.pipe(channel)
      })
      done(connection)
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = new ssh2.Client()
  keepCipherKeys(client)
  ends.push(
    () => client.destroy(),
    () => server.close(),
  )
  const { port } = server.address() as AddressInfo
  client.connect({ host: '127.0.0.1', port, username: 'x', password: 'x', algorithms })
  await once(client, 'ready')
  return { client, connection: await accepted }
}

async function echoed(client: Client, sent: Buffer): Promise<Buffer> {
  const channel = await new Promise<ssh2.ClientChannel>((done, fail) =>
    client.forwardOut('127.0.0.1', 1, '127.0.0.1', 2, (error, opened) =>
      error ? fail(error) : done(opened),
    ),
  )
  const parts: Buffer[] = []
  let length = 0
  channel.write(sent)
  for await (const part of channel) {
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length >= sent.length) break
  }
  return Buffer.concat(parts)
}

/** What each direction of it keeps as keys, by the names of its fields. */
function keysOf(connection: Client | Connection): Record<string, unknown>[] {
  const { _cipher, _decipher } = (connection as unknown as { _protocol: Record<string, object> })._protocol
  return [_cipher, _decipher].map((half = {}) =>
    Object.fromEntries(
      Object.entries(half).filter(
        ([name, value]) => /key/i.test(name) && typeof value === 'object' && value !== null,
      ),
    ),
  )
}

it.each([
  ['chacha20-poly1305@openssh.com', 2],
  ['aes128-gcm@openssh.com', 1],
  ['aes256-gcm@openssh.com', 1],
  ['aes128-ctr', 1],
])(
  '%s makes no key of a buffer for each packet, and carries the same, before and after a new key exchange',
  async (cipher, count) => {
    const { client, connection } = await connected(cipher)
    const sent = randomBytes(300_000)
    for (const exchange of ['first', 'second']) {
      for (const end of [client, connection])
        for (const keys of keysOf(end)) {
          expect(Object.values(keys), exchange).toHaveLength(count)
          for (const key of Object.values(keys)) expect(key).toBeInstanceOf(KeyObject)
        }
      expect((await echoed(client, sent)).equals(sent), exchange).toBe(true)
      if (exchange === 'second') continue
      const again = Promise.all([client, connection].map((end) => once(end, 'handshake')))
      connection.rekey()
      await again
    }
  },
)
