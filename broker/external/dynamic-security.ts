/**
 * Mosquitto's dynamic security plugin, over MQTT: commands are published to one topic, and responses arrive on another,
 * only for the requesting client.
 */
import { randomUUID } from 'node:crypto'
import { connect } from 'mqtt'
import { withinTime } from '#infra/deadline'
import type { Env } from '#infra/env'

const CONTROL = '$CONTROL/dynamic-security/v1'
/** The plugin writes its whole file after each command. */
const ANSWER_MS = 60_000

export type Command = { command: string } & Record<string, unknown>
export type Answer = { command: string; error?: string; data?: Record<string, unknown> }

export type DynamicSecurity = {
  /** One response per command, in order; each may be an error. @throws without a connection or response */
  run(commands: readonly Command[]): Promise<Answer[]>
  connected(): boolean
  close(): Promise<void>
}

/** `opened` is called after each connect. */
export function openDynamicSecurity(env: Env, opened: () => void): DynamicSecurity {
  const client = connect(env.EXTERNAL_MQTT_URL ?? '', {
    clientId: `iot-accounts-${randomUUID().slice(0, 8)}`,
    username: env.EXTERNAL_MQTT_USERNAME,
    password: env.EXTERNAL_MQTT_PASSWORD ?? '',
    protocolVersion: 5,
    clean: true,
    reconnectPeriod: 1000,
    reconnectOnConnackError: true,
    connectTimeout: 5000,
    resubscribe: false,
  })
  let waiting: PromiseWithResolvers<Answer[]> | null = null
  let last: Promise<unknown> = Promise.resolve()
  client.on('error', () => undefined)
  client.on('close', () => waiting?.reject(new Error('the connection broke')))
  client.on('message', (_topic, body) => {
    const { responses } = JSON.parse(body.toString()) as { responses: Answer[] }
    waiting?.resolve(responses)
  })
  client.on('connect', () => {
    client.subscribeAsync(`${CONTROL}/response`, { qos: 1 }).then(opened, () => undefined)
  })

  async function send(commands: readonly Command[]): Promise<Answer[]> {
    if (!client.connected) throw new Error('it is not connected')
    const asked = Promise.withResolvers<Answer[]>()
    waiting = asked
    // Not waited for: if it is lost, so is the connection.
    client.publish(CONTROL, JSON.stringify({ commands }), { qos: 1 })
    try {
      return await withinTime('the dynamic security plugin', ANSWER_MS, asked.promise)
    } finally {
      waiting = null
    }
  }

  return {
    // One at a time: responses do not say which request they belong to.
    run: (commands) => {
      const answered = last.then(() => send(commands))
      last = answered.catch(() => undefined)
      return answered
    },
    connected: () => client.connected,
    close: async () => {
      await client.endAsync(true)
    },
  }
}
