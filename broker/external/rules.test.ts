/** The rules that Mosquitto gets allow what our own broker allows, and nothing else. */
import { describe, expect, it } from 'vitest'
import { covers, matches, mayPublish, mayReceive, maySubscribe } from '../acl.ts'
import type { Peer } from '../peer.ts'
import { deviceRules, enrolRules, filtersOf, type Rule } from './rules.ts'

/** How the plugin decides, with defaults that deny: literals first, then by priority. */
function decides(rules: readonly Rule[], acltypes: Rule['acltype'][], topic: string): boolean {
  for (const acltype of acltypes) {
    const found = rules
      .filter((rule) => rule.acltype === acltype)
      .toSorted((a, b) => b.priority - a.priority)
      .find((rule) =>
        acltype === 'subscribeLiteral'
          ? rule.topic === topic
          : acltype === 'subscribePattern'
            ? covers(rule.topic, topic)
            : matches(rule.topic, topic),
      )
    if (found) return found.allow
  }
  return false
}

const device = { kind: 'device', sn: 'SN-1' } as Peer
const enrolling = { kind: 'enrolling', sn: 'SN-1' } as Peer

const topics = [
  'v1/SN-1',
  'v1/SN-1/up/hello',
  'v1/SN-1/up/gone',
  'v1/SN-1/up/enrol',
  'v1/SN-1/own/thing',
  'v1/SN-1/down',
  'v1/SN-1/down/command',
  'v1/SN-1/down/enrolled',
  'v1/SN-2/up/hello',
  'v1/SN-2/down/command',
  'v1/SN-10/up/hello',
  'v2/SN-1/up/hello',
  '$SYS/broker/uptime',
  '$CONTROL/dynamic-security/v1',
]
const filters = [
  ...topics,
  '#',
  '+/#',
  'v1/#',
  'v1/+/#',
  'v1/+/down/enrolled',
  'v1/SN-1/#',
  'v1/SN-1/+/command',
  'v1/SN-1/down/#',
  'v1/SN-2/#',
  '$share/iot/v1/+/up/#',
  '$share/x/v1/SN-1/#',
  '$SYS/#',
]

describe('a device', () => {
  const rules = deviceRules('SN-1')
  it.each(topics)('publishes and receives %s as at our own broker', (topic) => {
    expect(decides(rules, ['publishClientSend'], topic)).toBe(mayPublish(device, topic))
    // The parent level is below no filter of ours; nothing is ever published there.
    if (topic !== 'v1/SN-1')
      expect(decides(rules, ['publishClientReceive'], topic)).toBe(mayReceive(device, topic))
  })
  it.each(filters.filter((filter) => filter !== 'v1/SN-1'))(
    'subscribes to %s as at our own broker',
    (filter) => {
      expect(decides(rules, ['subscribeLiteral', 'subscribePattern'], filter)).toBe(
        maySubscribe(device, filter),
      )
    },
  )
})

describe('an enrolment key', () => {
  it.each(filters)('subscribes to %s only where it is the answer to one serial number', (filter) => {
    expect(decides(enrolRules, ['subscribeLiteral', 'subscribePattern'], filter)).toBe(
      maySubscribe(enrolling, filter),
    )
  })
  it.each(topics)('publishes %s only where it is a request', (topic) => {
    expect(decides(enrolRules, ['publishClientSend'], topic)).toBe(topic.endsWith('/up/enrol'))
  })
})

it('a single session at Mosquitto does not share, because Mosquitto forgets shared subscriptions', () => {
  expect(filtersOf('mosquitto', 1).filter).toBe('v1/+/up/#')
  expect(filtersOf('mosquitto', 2).filter).toBe('$share/iot/v1/+/up/#')
  expect(filtersOf('emqx', 1).filter).toBe('$share/iot/v1/+/up/#')
})
