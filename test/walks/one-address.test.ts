/** A broker that listens on one address only: whoever is on the same machine finds it there. */
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { Line } from '#device-sim/line'
import { startWheel } from '#device-sim/wheel'
import { openDeviceLine } from '#infra/service-mqtt'
import { ownAddress } from '#infra/settings/own-address'
import { brokerTest } from '#test/broker-test'

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((found) => found?.address === '::1')

describe.each(['127.0.0.2', ...(hasIpv6 ? ['::1'] : [])])('on %s', async (host) => {
  const { context, broker, device } = await brokerTest(`AT-${host.length}-`, 1, { MQTT_HOST: host })

  it('is reached by workers and api', async () => {
    const line = openDeviceLine({ ...context.env, MQTT_PORT: broker.ports.mqtt }, 'address-test')
    try {
      await expect.poll(() => line.connected()).toBe(true)
    } finally {
      await line.close()
    }
  })

  it('is reached by the simulator', async () => {
    const { sn, secret } = device()
    const wheel = startWheel(5)
    const line = new Line({
      url: new URL(`mqtt://${ownAddress(host)}:${broker.ports.mqtt}`),
      clientId: sn,
      username: sn,
      password: secret,
      keepaliveS: 30,
      wheel,
      onMessage: () => Promise.resolve(),
    })
    await line.open()
    line.destroy('over')
    await line.closed
    wheel.close()
  })
})
