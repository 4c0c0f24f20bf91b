/** A connection to PostgreSQL that can go silent: like a dead NAT it stays open and swallows everything. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type SilentLine = {
  /** The same database through the proxy. */
  url: string
  /** Silences open connections; `answers` only: requests still arrive. New connections work. */
  silence(what?: 'answers' | 'both'): void
  /** Resolves once nothing has passed for this time, so no response is in transit. */
  rests(ms: number): Promise<void>
  close(): void
}

type Link = { client: Socket; server: Socket; silent: 'no' | 'answers' | 'both' }

export async function openSilentLine(databaseUrl: string, port = 0): Promise<SilentLine> {
  const links = new Set<Link>()
  const url = new URL(databaseUrl)
  const target = Number(url.port)
  let passedAt = performance.now()
  const pass = (to: Socket, bytes: Buffer) => {
    passedAt = performance.now()
    to.write(bytes)
  }
  const server = createServer((client) => {
    const link: Link = { client, server: connect(target, '127.0.0.1'), silent: 'no' }
    links.add(link)
    for (const side of [client, link.server]) side.on('error', () => undefined)
    client.on('data', (bytes) => link.silent !== 'both' && pass(link.server, bytes))
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
      server.close()
      for (const { client } of links) client.destroy()
    },
  }
}
