/** The platform's own connection to the broker: publishes to devices. */
import { connect } from 'mqtt'
import type { z } from 'zod'
import { type Downlink, downlinkTopic } from '#schema/kit/message'
import type { Env } from './env.ts'
import { servicePassword } from './secrets.ts'
import { ownAddress } from './settings/own-address.ts'

export type DeviceLine = {
  /**
   * Publishes at QoS 1; resolves when the broker has accepted it, not when the device has received it. Rejects after
   * 5 s without the broker's PUBACK.
   */
  publish<P extends z.ZodType>(sn: string, message: Downlink<P>, payload: z.input<P>): Promise<void>
  connected(): boolean
  close(): Promise<void>
}

const PUBLISH_TIMEOUT_MS = 5_000

type Door = Pick<
  Env,
  | 'BROKER'
  | 'EXTERNAL_MQTT_URL'
  | 'EXTERNAL_MQTT_USERNAME'
  | 'EXTERNAL_MQTT_PASSWORD'
  | 'MQTT_URL'
  | 'MQTT_HOST'
  | 'MQTT_PORT'
  | 'JWT_SECRET'
>

/** Our own broker knows `service:<name>`; an external one the account that its operator made for the platform. */
function doorOf(env: Door, id: string): { url: string; username: string; password: string } {
  if (env.BROKER === 'external')
    return {
      url: env.EXTERNAL_MQTT_URL ?? '',
      username: env.EXTERNAL_MQTT_USERNAME,
      password: env.EXTERNAL_MQTT_PASSWORD ?? '',
    }
  const url = env.MQTT_URL ?? `mqtt://${ownAddress(env.MQTT_HOST)}:${env.MQTT_PORT}`
  return { url, username: id, password: servicePassword(env.JWT_SECRET) }
}

/** Connects as `service:<name>`; reconnects automatically every second. Does not wait for the first connection. */
export function openDeviceLine(env: Door, name: string): DeviceLine {
  const id = `service:${name}:${process.pid}:${Math.random().toString(36).slice(2, 8)}`
  const { url, username, password } = doorOf(env, id)
  // Not connectAsync, which gives up permanently if there is no broker at the first attempt.
  const client = connect(url, {
    clientId: id,
    username,
    password,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 1000,
    // Also retry when a broker refuses connections while it starts.
    reconnectOnConnackError: true,
    connectTimeout: 5000,
    queueQoSZero: false,
  })
  // It reconnects automatically; a refused login is in the broker's log.
  client.on('error', () => undefined)
  return {
    connected: () => client.connected,
    publish: async (sn, message, payload) => {
      const body = JSON.stringify(message.payload.parse(payload))
      if (!client.connected) throw new Error('the broker is not connected')
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, fail) => {
        timer = setTimeout(() => fail(new Error('the broker did not acknowledge')), PUBLISH_TIMEOUT_MS)
      })
      try {
        await Promise.race([client.publishAsync(downlinkTopic(sn, message.name), body, { qos: 1 }), late])
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => {
      await client.endAsync(true)
    },
  }
}
