/** A device's SSH client: it goes out, asks for one forwarding, and serves what comes back from its own made-up network. */
import type { Duplex } from 'node:stream'
import ssh2 from 'ssh2'
import type { z } from 'zod'
import type { openTunnel } from '#schema/remote/open-tunnel'
import type { Part } from '../world.ts'
import { serverAt } from './servers.ts'

const READY_MS = 10_000
const KEEPALIVE_MS = 10_000

/** Resolves when the server forwards. The tunnel ends with the device's power or network, or when the server closes it. */
export function digTunnel(part: Part, args: z.output<typeof openTunnel.args>): Promise<void> {
  const client = new ssh2.Client()
  const [, pinned = ''] = args.hostKey.split(' ')
  const down = AbortSignal.any([part.power, part.lost()])
  const end = () => client.destroy()
  down.addEventListener('abort', end)
  client.on('close', () => down.removeEventListener('abort', end))
  client.on('tcp connection', (_from, accept, reject) => {
    const serve = serverAt(part, args.targetHost, args.targetPort)
    if (serve === null) return reject()
    const stream = accept() as Duplex
    // The other side may vanish at any time.
    stream.on('error', () => stream.destroy())
    serve(stream)
  })
  return new Promise<void>((done, fail) => {
    client.on('error', fail)
    client.on('close', () => fail(new Error('the server closed the connection')))
    // Each key is a packet of its own, as stock clients send it.
    client.on('connect', () => client.setNoDelay(true))
    client.on('ready', () =>
      client.forwardIn('127.0.0.1', args.listenPort, (error) => (error ? fail(error) : done())),
    )
    client.connect({
      host: args.host,
      port: args.port,
      username: args.username,
      password: args.password,
      hostVerifier: (key: Buffer) => key.toString('base64') === pinned,
      readyTimeout: READY_MS,
      keepaliveInterval: KEEPALIVE_MS,
      keepaliveCountMax: 2,
    })
  }).catch((error: unknown) => {
    client.destroy()
    throw error
  })
}
