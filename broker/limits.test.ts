import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { limits } from './limits.ts'
import { heldMax } from './peer.ts'
import { throttleLimits } from './throttle.ts'

const protocol = readFileSync(new URL('../docs/protocol.md', import.meta.url), 'utf8')
const section = protocol.slice(protocol.indexOf('## Limits'), protocol.indexOf('## Versions'))
const rows = new Map(
  [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].map((row) => [row[1]?.trim(), row[2]?.trim()]),
)
const count = (n: number) => n.toLocaleString('en-US')
const kB = (bytes: number) => `${bytes / 1024} kB`
const MB = (bytes: number) => `${bytes / 1024 / 1024} MB`
const auxiliary = { kind: 'device', main: false } as Parameters<typeof heldMax>[0]

it.each([
  ['packet', `${kB(limits.packetBytes)}; CONNECT ${kB(limits.connectBytes)}`],
  ['topic of a publish or will', `${limits.topicBytes} bytes, ${limits.topicLevels} levels`],
  ['topic filter', `${limits.topicBytes} bytes, ${limits.topicLevels} levels`],
  ['subscriptions of one connection', count(limits.subscriptions)],
  ['filters in one SUBSCRIBE or UNSUBSCRIBE', count(limits.filtersPerSubscribe)],
  [
    'unacknowledged publishes',
    `${heldMax(null)} of a main connection, ${heldMax(auxiliary)} of an auxiliary one`,
  ],
  [
    'publishes of a device, on all of its connections',
    `${limits.devicePublishesPerSecond} a second; ${count(limits.devicePublishBurst)} at once after a pause`,
  ],
  ['half-open QoS 2 publishes', count(limits.inboundQos2)],
  ['auxiliary connections', count(limits.auxiliaryConnections)],
  ['kept sessions of a device (clean session 0)', count(limits.storedSessions)],
  [
    'messages queued for a session that is away',
    `${count(limits.queuedMessages)}, together ${MB(limits.queuedBytes)}, for ${limits.queuedDays} days`,
  ],
  [
    'retained messages of a device',
    `${count(limits.retainedMessages)}, together ${kB(limits.retainedBytes)}`,
  ],
  ['a client that reads nothing', `${limits.stuckMs / 1000} s, or ${MB(limits.outputBytes)} waiting`],
  ['QoS 0 messages for a slow client', `${MB(limits.qos0OutputBytes)} waiting`],
  ['connections from one address', `${count(throttleLimits.connectsPerWindow)} a minute`],
  ['wrong credentials from one address', `${count(throttleLimits.freeFailures)} a minute`],
])('docs/protocol.md says of %s: %s', (what, limit) => {
  expect(rows.get(what)).toBe(limit)
})
