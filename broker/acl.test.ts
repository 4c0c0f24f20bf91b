import { describe, expect, it } from 'vitest'
import { matches, mayPublish, mayReceive, maySubscribe } from './acl.ts'
import { limits } from './limits.ts'
import { heldMax, type Peer, readClaim } from './peer.ts'

const device = { kind: 'device', sn: 'SN-1' } as Peer
const enrolling = { kind: 'enrolling', sn: 'SN-1' } as Peer
const service: Peer = { kind: 'service', name: 'service:api' }

describe('the topic ACL', () => {
  it.each([
    ['v1/SN-1/up/status', true, true, false],
    ['v1/SN-1/anything/below', true, true, false],
    ['v1/SN-1/up/enrol', true, true, true],
    ['v1/SN-1/down/command', false, true, false],
    ['v1/SN-1/down', false, true, false],
    ['v1/SN-1/down/enrolled', false, true, false],
    ['v1/SN-1/', false, false, false],
    ['v1/SN-1', false, false, false],
    ['v1/SN-2/up/status', false, false, false],
    ['v1/SN-10/up/status', false, false, false],
    ['v1//SN-1/up', false, false, false],
    ['V1/SN-1/up/status', false, false, false],
    ['v2/SN-1/up/status', false, false, false],
    ['$SYS/broker', false, false, false],
    ['', false, false, false],
  ])(
    '%s: published %s, received %s by its device; published by one that enrols %s',
    (topic, publish, receive, enrol) => {
      expect(mayPublish(device, topic)).toBe(publish)
      expect(mayReceive(device, topic)).toBe(receive)
      expect(mayPublish(enrolling, topic)).toBe(enrol)
    },
  )

  it.each([
    ['v1/SN-1/#', true],
    ['v1/SN-1/+/status', true],
    ['v1/SN-1/down/#', true],
    ['#', false],
    ['+/SN-1/#', false],
    ['v1/+/down/#', false],
    ['v1/#', false],
    ['v1/SN-1', false],
    ['v1/SN-1#', false],
    ['v1/SN-2/#', false],
    ['$share/g/v1/SN-1/#', false],
    ['$SYS/#', false],
    ['v1/SN-1/a/b/c/d/e/f/g', false],
    [`v1/SN-1/${'x'.repeat(256)}`, false],
  ])('%s may be subscribed by its device: %s', (filter, allowed) => {
    expect(maySubscribe(device, filter)).toBe(allowed)
  })

  it('lets an enrolling connection receive its response and nothing else', () => {
    expect(maySubscribe(enrolling, 'v1/SN-1/down/enrolled')).toBe(true)
    for (const filter of ['v1/SN-1/down/#', 'v1/SN-1/#', 'v1/SN-1/down/command', 'v1/SN-2/down/enrolled'])
      expect(maySubscribe(enrolling, filter)).toBe(false)
    expect(mayReceive(enrolling, 'v1/SN-1/down/command')).toBe(false)
  })

  it('lets the platform publish downlinks only, and receive everything but $SYS', () => {
    expect(mayPublish(service, 'v1/SN-1/down/command')).toBe(true)
    for (const topic of ['v1/SN-1/up/status', 'v1/down/x', 'x', '$SYS/x'])
      expect(mayPublish(service, topic)).toBe(false)
    expect(maySubscribe(service, '#')).toBe(true)
    expect(maySubscribe(service, '$SYS/#')).toBe(false)
  })
})

describe('a filter', () => {
  it.each([
    ['a/#', 'a', true],
    ['a/#', 'a/b/c', true],
    ['a/+', 'a/', true],
    ['a/+', 'a', false],
    ['a/+/c', 'a/b/c', true],
    ['a/+/c', 'a/b/d', false],
    ['a/b', 'a/b/c', false],
    ['+/+', '/x', true],
  ])('%s against %s: %s', (filter, topic, expected) => expect(matches(filter, topic)).toBe(expected))
})

describe('a client id', () => {
  const secret = Buffer.from('p0uJ4VbTq2m1vB3xkZ7H9yq5sYtN8rWc6dLfG0aEiUo')
  const claim = (id: string, user: string | undefined, password: Buffer | undefined = secret) =>
    readClaim(id, user, password)
  it('is the serial number, or it with a tag', () => {
    expect(claim('SN-1', 'SN-1')).toMatchObject({ kind: 'device', sn: 'SN-1', main: true, clientId: 'SN-1' })
    expect(claim('SN-1:pub', 'SN-1')).toMatchObject({ main: false, clientId: 'SN-1:pub' })
    expect(claim('', 'SN-1')).toMatchObject({ main: false })
    // As a broker needs it that binds accounts to client ids.
    expect(claim('SN-1:1', 'SN-1:1')).toMatchObject({ sn: 'SN-1', main: false, clientId: 'SN-1:1' })
    for (const [id, user] of [
      ['SN-1:2', 'SN-1:1'],
      ['SN-1', 'SN-1:1'],
      ['SN-1:5', 'SN-1:5'],
      ['SN-1:pub', 'SN-1:pub'],
      [':1', ':1'],
      ['SN:1:1', 'SN:1:1'],
    ] as const)
      expect(claim(id, user), `${id} as ${user}`).toBe('credentials')
  })
  it.each([
    'SN-2',
    'SN-1:',
    'SN-1:a:b',
    'SN-1:ü',
    'SN-1:12345678901234567',
    '#',
    '__proto__',
    '$SN-1',
    ' SN-1',
  ])('%s is refused as identifier for the device SN-1', (id) => expect(claim(id, 'SN-1')).toBe('identifier'))
  it.each(['#', '+', 'a/b', '', undefined, 'x'.repeat(65), 'servic:e', 'ü'])(
    'user name %s is refused',
    (user) => expect(claim(user ?? '', user)).toBe('credentials'),
  )
  it('of services and of enrolling connections cannot be used by devices', () => {
    expect(claim('service:api:1', 'service:api:1')).toMatchObject({
      kind: 'service',
      clientId: '$service:api:1',
    })
    expect(claim('service:api:1', 'service:api:2')).toBe('identifier')
    const enrol = claim('SN-1', 'SN-1', Buffer.from('ek_abc'))
    expect(enrol).toMatchObject({ kind: 'enrolling', sn: 'SN-1' })
    expect(typeof enrol === 'object' && enrol.clientId.startsWith('$enrol:')).toBe(true)
  })
})

describe('unacknowledged publishes', () => {
  it('of all connections of one device together are less than twice the limit of its main one', () => {
    const main = heldMax({ kind: 'device', main: true } as Peer)
    const auxiliary = heldMax({ kind: 'device', main: false } as Peer)
    expect(main).toBe(limits.heldPerConnection)
    expect(main + limits.auxiliaryConnections * auxiliary).toBeLessThan(2 * main)
  })
})
