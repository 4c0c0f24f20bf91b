/** A device written independently: only an MQTT client and what docs/protocol.md says. */
import { connectAsync, type MqttClient } from 'mqtt'
import { until } from './until.ts'

export type Heard = { name: string; payload: Record<string, unknown> }

export async function rawDevice(
  url: string,
  sn: string,
  secret: string,
  options: { bootId?: string; firmware?: string } = {},
) {
  const heard: Heard[] = []
  let closedAt: number | null = null
  const client: MqttClient = await connectAsync(url, {
    clientId: sn,
    username: sn,
    password: secret,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
  })
  client.on('message', (topic, body) => {
    heard.push({ name: topic.split('/').at(-1) ?? '', payload: JSON.parse(body.toString()) })
  })
  client.on('close', () => {
    closedAt = Date.now()
  })
  client.on('error', () => undefined)
  await client.subscribeAsync(`v1/${sn}/down/#`, { qos: 1 })
  const say = (name: string, payload: object) =>
    client.publishAsync(`v1/${sn}/up/${name}`, JSON.stringify(payload), { qos: 1 })
  await say('hello', {
    at: Date.now(),
    bootId: options.bootId ?? 'boot-1',
    model: 'R200',
    firmware: options.firmware ?? '1.0.0',
  })
  return {
    sn,
    heard,
    say,
    closedAt: () => closedAt,
    progress: (item: string, step: string, more: object = {}) =>
      say('progress', { item, at: Date.now(), step, ...more }),
    /** Waits for the n-th message of that name. */
    hear: (name: string, index = 0, timeoutMs = 15_000) =>
      until(
        `${sn} hears ${name}`,
        () => heard.filter((message) => message.name === name)[index]?.payload,
        timeoutMs,
      ),
    close: () => client.endAsync(true),
  }
}
