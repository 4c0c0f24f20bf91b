/** The web page of a machine in the LAN of a device. */
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'

const plain = (text: string) => text.replace(/[^\w .-]/g, '?')

export function serveMachine(name: string, stream: Duplex): void {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><title>${plain(name)}</title><h1>${plain(name)}</h1><p>${plain(request.url ?? '')}</p>`,
    )
  })
  server.emit('connection', stream)
}
