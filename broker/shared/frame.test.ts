import { expect, it } from 'vitest'
import { pack, unpack } from './frame.ts'

it('carries any payload unchanged, beside text in any language', () => {
  const payload = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
  const notice = {
    kind: 'message',
    from: 'b',
    packet: { cmd: 'publish', topic: 'v1/A/x/网关', qos: 1, retain: false, dup: false, brokerCounter: 7 },
  } as const
  expect(unpack(pack(notice, payload))).toEqual({ notice, payload })
  expect(unpack(pack({ kind: 'gone', from: 'b' })).payload).toHaveLength(0)
})
