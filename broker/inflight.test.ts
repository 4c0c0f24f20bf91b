import { generate } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { Inflight } from './inflight.ts'
import { types } from './packet.ts'

const { puback, pubrec, pubrel, pubcomp } = types
const sent = (qos: 0 | 1 | 2, messageId: number, payload = 'x') =>
  generate({ cmd: 'publish', topic: 'a/b', payload, qos, messageId, retain: false, dup: false })

describe('an unacknowledged message', () => {
  it('accepts only the acknowledgement of its QoS', () => {
    const inflight = new Inflight()
    inflight.leaving(Buffer.concat([sent(0, 0), sent(1, 1, 'y'.repeat(200)), sent(2, 2), sent(1, 3)]))
    expect([0, 1, 2, 3, 4].filter((id) => inflight.has(id))).toEqual([1, 2, 3])
    for (const [type, id] of [
      [pubrec, 1],
      [pubcomp, 1],
      [puback, 2],
      [pubcomp, 2],
    ] as const)
      expect(inflight.fault(type, id)).not.toBeNull()
    expect(inflight.fault(puback, 1)).toBeNull()
    expect(inflight.has(1)).toBe(false)
  })

  it('waits for PUBCOMP after PUBREL, and PUBREC may be repeated', () => {
    const inflight = new Inflight()
    inflight.leaving(sent(2, 7))
    expect(inflight.fault(pubrec, 7)).toBeNull()
    inflight.leaving(generate({ cmd: 'pubrel', messageId: 7 }))
    expect(inflight.fault(pubrec, 7)).toBeNull()
    expect(inflight.fault(puback, 7)).not.toBeNull()
    expect(inflight.fault(pubcomp, 7)).toBeNull()
    expect(inflight.has(7)).toBe(false)
  })

  it('is not affected by unknown ids, nor by PUBREL, whose ids belong to the other side', () => {
    const inflight = new Inflight()
    inflight.leaving(sent(1, 5))
    expect([puback, pubrec, pubcomp].map((type) => inflight.fault(type, 6))).toEqual([null, null, null])
    expect(inflight.fault(pubrel, 5)).toBeNull()
    expect(inflight.has(5)).toBe(true)
  })

  it('costs no more memory when nothing is ever acknowledged', () => {
    const inflight = new Inflight()
    for (let id = 1; id <= 65_535; id++) inflight.leaving(sent(1, id))
    expect(inflight.has(1)).toBe(true)
    expect(inflight.has(65_535)).toBe(false)
  })
})
