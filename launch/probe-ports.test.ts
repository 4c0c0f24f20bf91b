import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#infra/embedded-postgres'
import { readSettings } from '#infra/env'
import { probePorts } from './probe-ports.ts'

const other = createServer()
beforeAll(() => new Promise<void>((done) => void other.listen(0, '127.0.0.1', done)))
afterAll(() => void other.close())

const probe = (given: Record<string, string>) => {
  const { port } = other.address() as AddressInfo
  const free = { HTTP_PORT: '0', MQTT_PORT: '0', MQTTS_PORT: '0', SSH_PORT: '0', REMOTE_WEB_PORT: '0' }
  const busy = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text || String(port)]))
  return probePorts({ ...readSettings({ ...free, ...busy }), JWT_SECRET: '' })
}

it.each(['HTTP_PORT', 'MQTT_PORT', 'MQTTS_PORT', 'SSH_PORT', 'REMOTE_WEB_PORT'])(
  '%s of another program ends the start before a database is made',
  async (name) => {
    await expect(probe({ [name]: '' })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  },
)

it('a port that no room opens may be in use: that of the external broker on this machine', async () => {
  const external = {
    BROKER: 'external',
    EXTERNAL_MQTT_URL: 'mqtt://127.0.0.1:1883',
    EXTERNAL_MQTT_PASSWORD: 'its-password',
  }
  await probe({ ...external, MQTT_PORT: '', MQTTS_PORT: '' })
  await probe({ PUBLIC_URL: 'http://iot.example', REMOTE_WEB_PORT: '' })
})

it('one number for two settings ends the start, and names both', async () => {
  const port = await freePort()
  await expect(probe({ MQTT_PORT: String(port), SSH_PORT: String(port) })).rejects.toThrow(
    `SSH_PORT: ${port} is MQTT_PORT already, set another one`,
  )
})
