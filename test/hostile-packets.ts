/** What the tests of attacks on a broker send and count. */
import type { IPublishPacket, ISubackPacket } from 'mqtt-packet'
import { expect } from 'vitest'
import type { Raw } from './raw-mqtt.ts'

export const publish = (
  topic: string,
  payload: string | Buffer,
  messageId = 1,
  qos: 0 | 1 | 2 = 1,
): IPublishPacket => ({
  cmd: 'publish',
  topic,
  payload,
  qos,
  retain: false,
  dup: false,
  ...(qos > 0 ? { messageId } : {}),
})
export async function subscribe(raw: Raw, topic: string, qos: 0 | 1 | 2 = 0) {
  raw.send({ cmd: 'subscribe', messageId: 7, subscriptions: [{ topic, qos }] })
  return ((await raw.take('suback')) as ISubackPacket).granted[0]
}

/**
 * Counts the messages it receives: waits for the expected number, and then as long as a response takes, for
 * extra ones.
 */
export async function publishesTo(raw: Raw, wanted: number): Promise<number> {
  const count = () => raw.packets.filter((packet) => packet.cmd === 'publish').length
  await expect.poll(count).toBeGreaterThanOrEqual(wanted)
  raw.send({ cmd: 'pingreq' })
  await raw.take('pingresp')
  return count()
}
