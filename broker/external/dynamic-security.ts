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
export type Answer = {
  command: string
  error?: string
  data?: Record<string, unknown>
  correlationData?: string
}

export type DynamicSecurity = {
  /** One response per command, in order; each may be an error. @throws without a connection or response */
  run(commands: readonly Command[]): Promise<Answer[]>
  connected(): boolean
  close(): Promise<void>
}

/** None in what is no response: whoever may publish there must not end this process. */
function answersIn(body: Buffer): Answer[] {
  try {
    const { responses } = JSON.parse(body.toString()) as { responses?: unknown }
    return Array.isArray(responses) ? (responses as Answer[]) : []
  } catch {
    return []
  }
}

/** `opened` is called after each connect. */
export function openDynamicSecurity(env: Env, opened: () => void, answerMs = ANSWER_MS): DynamicSecurity {
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
  /** Of the present request. A broker that stood still for longer than we wait answers all of them when it goes on. */
  let correlationData = ''
  let last: Promise<unknown> = Promise.resolve()
  client.on('error', () => undefined)
  client.on('close', () => waiting?.reject(new Error('the connection broke')))
  client.on('message', (_topic, body) => {
    const responses = answersIn(body)
    if (responses[0]?.correlationData === correlationData) waiting?.resolve(responses)
  })
  client.on('connect', () => {
    client.subscribeAsync(`${CONTROL}/response`, { qos: 1 }).then(opened, () => undefined)
  })

  async function send(commands: readonly Command[]): Promise<Answer[]> {
    if (!client.connected) throw new Error('it is not connected')
    const asked = Promise.withResolvers<Answer[]>()
    waiting = asked
    correlationData = randomUUID()
    const marked = commands.map((command) => ({ ...command, correlationData }))
    // Not waited for: if it is lost, so is the connection.
    client.publish(CONTROL, JSON.stringify({ commands: marked }), { qos: 1 })
    try {
      return await withinTime('the dynamic security plugin', answerMs, asked.promise)
    } finally {
      waiting = null
    }
  }

  return {
    // One at a time: `waiting` is of one request.
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
