import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Line } from './line.ts'

/** Answers each command with OK, unless it is frozen: then it still accepts connections, as a stopped process does. */
async function startServer() {
  const sockets = new Set<Socket>()
  const state = { frozen: false }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const commands = String(chunk).match(/^\*\d+\r$/gm)?.length ?? 0
      if (!state.frozen) socket.write('+OK\r\n'.repeat(commands))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `redis://127.0.0.1:${port}`, state }
}

it('a Redis that says nothing more counts as unavailable, and what was asked is answered when it is back', async () => {
  const { url, state } = await startServer()
  const failures: string[] = []
  const line = new Line(url, { failed: ({ message }) => failures.push(message), works: () => undefined }, 300)
  onTestFinished(() => line.quit().then(() => undefined))
  const patiently = { timeout: 20_000 }
  await expect.poll(() => line.open, patiently).toBe(true)
  state.frozen = true
  const asked = line.set('key', 'value')
  await expect.poll(() => line.open, patiently).toBe(false)
  expect(failures).toContain('Redis has not answered for 0.3 s')
  state.frozen = false
  await expect.poll(() => line.open, patiently).toBe(true)
  expect(await asked).toBe('OK')
}, 70_000)
