/** A connection to PostgreSQL that can go silent: like a dead NAT it stays open and swallows everything. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type SilentLine = {
  /** The same database through the proxy. */
  url: string
  /**
   * Silences open connections; `answers` only: requests still arrive. `babbles`: like both, but the server announces a parameter all the
   * time, as it may, so the connection is not silent. New connections work.
   */
  silence(what?: 'answers' | 'both' | 'babbles'): void
  /** Resolves once nothing has passed for this time, so no response is in transit. */
  rests(ms: number): Promise<void>
  close(): void
}

type Link = { client: Socket; server: Socket; silent: 'no' | 'answers' | 'both' | 'babbles' }

/** ParameterStatus of the protocol: the name `x`, the value `y`. */
const PARAMETER = Buffer.from('S\0\0\0\x08x\0y\0', 'latin1')
const BABBLE_MS = 300

export async function openSilentLine(databaseUrl: string, port = 0): Promise<SilentLine> {
  const links = new Set<Link>()
  const url = new URL(databaseUrl)
  const target = Number(url.port)
  let passedAt = performance.now()
  const pass = (to: Socket, bytes: Buffer) => {
    passedAt = performance.now()
    to.write(bytes)
  }
  const babbling = setInterval(() => {
    for (const link of links) if (link.silent === 'babbles') link.client.write(PARAMETER)
  }, BABBLE_MS)
  const server = createServer((client) => {
    const link: Link = { client, server: connect(target, '127.0.0.1'), silent: 'no' }
    links.add(link)
    for (const side of [client, link.server]) side.on('error', () => undefined)
    client.on(
      'data',
      (bytes) => (link.silent === 'no' || link.silent === 'answers') && pass(link.server, bytes),
    )
    link.server.on('data', (bytes) => link.silent === 'no' && pass(client, bytes))
    link.server.on('close', () => link.silent === 'no' && client.end())
    client.on('close', () => {
      links.delete(link)
      link.server.destroy()
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    silence: (what = 'both') => {
      for (const link of links) link.silent = what
    },
    rests: async (ms) => {
      while (performance.now() - passedAt < ms) await sleep(10)
    },
    close: () => {
      clearInterval(babbling)
      server.close()
      for (const { client } of links) client.destroy()
    },
  }
}
