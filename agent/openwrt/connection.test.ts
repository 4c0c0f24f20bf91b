/** The connection of a router whose network changes under it: it does not wait for what nothing can answer any more. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { brokerTest } from '#test/broker-test'
import { missingTools, Router } from '#test/openwrt/router'

describe.skipIf(missingTools.length > 0)('the connection of a router', { timeout: 120_000 }, async () => {
  const test = await brokerTest('OWRT', 1)
  const device = test.device()
  const routers: Router[] = []
  const servers: Server[] = []
  const prepare = (port: number) => {
    const router = new Router({ host: '127.0.0.1', port: String(port), serial: device.sn })
    routers.push(router)
    router.write('etc/iotagent/secret', device.secret)
    return router
  }
  afterAll(async () => {
    for (const router of routers) await router.close()
    for (const server of servers) server.close()
  })

  it('is tried again at once when an interface came up while nothing answers', async () => {
    const sockets: Socket[] = []
    let asked = 0
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      // Those that publish have another client id.
      socket.once('data', (bytes) => {
        if (bytes.includes(`${device.sn}\0`)) asked++
      })
    })
    servers.push(server)
    const port = await new Promise<number>((done) =>
      server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
    )
    const router = prepare(port)
    router.start('agent')
    await expect.poll(() => asked).toBe(1)
    router.write('var/run/iotagent/poke', '')
    await expect.poll(() => asked).toBe(2)
    for (const socket of sockets) socket.destroy()
    await router.kill('agent')
  })

  it('is replaced when the address towards the platform has changed, and only then', async () => {
    const router = prepare(test.broker.ports.mqtt)
    router.start('agent')
    const connection = () => router.read('var/run/iotagent/connection')
    const towards = () => router.read('var/run/iotagent/address')
    await expect.poll(towards, { timeout: 20_000 }).toMatch(/\n$/)
    const first = connection()
    router.write('var/run/iotagent/poke', '')
    await expect.poll(() => router.list('var/run/iotagent')).not.toContain('poke')
    await new Promise((done) => setTimeout(done, 3000))
    expect(connection()).toBe(first)
    // The default route has moved to another device.
    router.write('proc/net/route', router.read('proc/net/route').replace('eth0', 'lo'))
    router.write('var/run/iotagent/poke', '')
    await expect.poll(connection, { timeout: 40_000 }).not.toBe(first)
    await expect.poll(towards, { timeout: 40_000 }).toMatch(/^127\./)
  })

  it('is that of one agent: what a killed one has left behind ends when the next begins', async () => {
    const router = prepare(test.broker.ports.mqtt)
    const own = () =>
      readdirSync('/proc').filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${router.root}/usr/sbin/iotagent`)
        } catch {
          return false
        }
      })
    router.start('agent')
    // The agent, what reports beside it, and what watches its connection.
    await expect.poll(() => router.list('var/run/iotagent'), { timeout: 40_000 }).toContain('traffic')
    await expect.poll(() => own().length, { timeout: 40_000 }).toBeLessThanOrEqual(3)
    const former = own()
    const left = () => own().filter((pid) => former.includes(pid))
    process.kill(router.children.get('agent')?.pid ?? 0, 'SIGKILL')
    router.start('agent')
    await expect.poll(left, { timeout: 40_000 }).toEqual([])
  })
})
