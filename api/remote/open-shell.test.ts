import { generateKeyPairSync } from 'node:crypto'
import { type AddressInfo, connect, createServer } from 'node:net'
import ssh2 from 'ssh2'
import { expect, it } from 'vitest'
import { logIn } from './open-shell.ts'
import type { Tunnel } from './tunnels.ts'

it('logs in to devices whose SSH server is of 2012', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const algorithms = {
    kex: ['diffie-hellman-group1-sha1'],
    cipher: ['3des-cbc'],
    hmac: ['hmac-sha1'],
    serverHostKey: ['ssh-rsa'],
  }
  const server = new ssh2.Server({ hostKeys: [privateKey], algorithms: algorithms as never }, (connection) =>
    connection.on('error', () => undefined).on('authentication', (auth) => auth.accept()),
  )
  const listener = createServer((socket) => server.injectSocket(socket.on('error', () => socket.destroy())))
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as AddressInfo
  const tunnel = { open: async () => connect(port, '127.0.0.1') } as unknown as Tunnel
  const used = await logIn(tunnel, { username: 'root', password: 'x' }, async (client) => {
    client.end()
    return 'in'
  })
  expect(used).toBe('in')
  listener.close()
})
