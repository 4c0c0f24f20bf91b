import { describe, expect, it } from 'vitest'
import { deviceDoc, section } from '../sample-doc.ts'
import { changedLines, triedPage } from '../tried-page.ts'
import { repeater } from './repeater.ts'

const page = triedPage(repeater, deviceDoc)
const [mall] = page.values.repeaters
if (!mall) throw new Error('the sample has a station')

it('reads the stations, and no access point', () => {
  expect(page.values).toMatchObject({
    mode: 'routed',
    repeaters: [{ ssid: 'Mall', security: 'psk2', enabled: true }],
  })
  expect(page.values.repeaters).toHaveLength(1)
})

it('keeps the cipher and the network of a station that is renamed', () => {
  expect(page.lines({ repeaters: [{ ...mall, name: 'Upstairs' }] }, 'wireless')).toEqual([
    "+ option label 'Upstairs'",
  ])
})

describe('[§5] a name', () => {
  it('has at most 31 characters', () => {
    const named = (name: string) => page.bounds({ repeaters: [{ ...mall, name }] })
    const path = ['repeaters.0.name']
    expect(named('n'.repeat(32))).toEqual({ server: path, form: path })
    expect(named('n'.repeat(31))).toEqual({ server: [], form: [] })
    expect(named('')).toEqual({ server: [], form: [] })
  })

  it('is there once; none may be there often', () => {
    const pair = (name: string) => ({
      repeaters: [
        { ...mall, name },
        { ...mall, id: '', name },
      ],
    })
    expect(page.faults(pair('Hall'))).toEqual(['repeaters.1.name repeater:fault.nameTaken'])
    expect(page.faults(pair(''))).toEqual([])
  })
})

it.each([
  ['a key of 7 characters', 'key', 'seven77'],
  ['a key that is not ASCII', 'key', 'schlüssel'],
  ['a network name of 33 bytes', 'ssid', `${'店'.repeat(11)}`],
])('[§5] refuses %s in the form and on the server', (_, field, value) => {
  const path = [`repeaters.0.${field}`]
  expect(page.bounds({ repeaters: [{ ...mall, [field]: value }] })).toEqual({ server: path, form: path })
})

it('refuses 64 digits as a key of WPA3, a radio that is not there, and relaying without relayd', () => {
  const wrong = { ...mall, security: 'sae' as const, key: 'a'.repeat(64), radio: 'radio7' }
  expect(page.faults({ mode: 'relay', repeaters: [wrong] })).toEqual([
    'mode repeater:fault.noRelayd',
    'repeaters.0.key repeater:fault.hexKey',
    'repeaters.0.radio config:missing.radio',
  ])
  expect(page.faults({ mode: 'relay' }, ['relayd'])).toEqual([])
})

describe('the interfaces of a new network', () => {
  const added = { repeaters: [mall, { ...mall, id: '', ssid: 'Roof', name: 'Roof' }] }

  it('routed: an address of its own, in the zone wan', () => {
    expect(page.lines(added, 'wireless')).toEqual(
      expect.arrayContaining(["+ option ssid 'Roof'", "+ option network 'wwan'", "+ option mode 'sta'"]),
    )
    expect(page.lines(added, 'network')).toEqual([
      "+ config interface 'wwan'",
      "+ option proto 'dhcp'",
      "+ option metric '30'",
    ])
    expect(page.lines(added, 'firewall')).toEqual(["+ list network 'wwan'"])
  })

  it('relayed: one network with the LAN, whose DHCP server is silent; and back', () => {
    const relayed = page.write({ ...added, mode: 'relay' })
    expect(changedLines(page.write({}), relayed, 'network')).toEqual([
      "+ config interface 'wwan'",
      "+ option proto 'dhcp'",
      "+ option metric '30'",
      "+ config interface 'repeater'",
      "+ option proto 'relay'",
      "+ list network 'lan'",
      "+ list network 'wwan'",
    ])
    expect(changedLines(page.write({}), relayed, 'dhcp')).toEqual(["+ option ignore '1'"])
    const back = triedPage(repeater, relayed)
    expect(back.values.mode).toBe('relay')
    const routed = back.write({ mode: 'routed' })
    expect(changedLines(page.write({}), routed, 'dhcp')).toEqual([])
    expect(changedLines(page.write({}), routed, 'network')).toEqual([
      "+ config interface 'wwan'",
      "+ option proto 'dhcp'",
      "+ option metric '30'",
    ])
    expect(changedLines(page.write({}), routed, 'firewall')).toEqual(["+ list network 'wwan'"])
  })

  it('WDS: a part of the LAN', () => {
    expect(page.lines({ mode: 'wds' }, 'wireless')).toEqual([
      "- option network 'wan'",
      "+ option network 'lan'",
      "+ option wds '1'",
    ])
    expect(page.lines({ mode: 'wds' }, 'network')).toEqual([])
  })
})

it('names a security that it does not know as such, not as an open network, and leaves it', () => {
  const wireless = {
    name: 'wireless',
    sections: [
      section('wifi-device', 'radio0', { band: '5g' }),
      section('wifi-iface', 'office', {
        device: 'radio0',
        mode: 'sta',
        network: 'wwan',
        ssid: 'Office',
        encryption: 'wpa2+ccmp',
      }),
      section('wifi-iface', 'old', {
        device: 'radio0',
        mode: 'sta',
        network: 'wwan',
        ssid: 'Old',
        encryption: 'psk',
        key: ' blanks ',
      }),
    ],
  }
  const tried = triedPage(repeater, { ...deviceDoc, wireless })
  const [office, old] = tried.values.repeaters
  if (!office || !old) throw new Error('both are stations')
  expect([office.security, old.security, old.key]).toEqual(['other', 'psk', ' blanks '])
  expect(tried.bounds({})).toEqual({ server: [], form: [] })
  expect(tried.lines({ repeaters: [{ ...office, ssid: 'Hall ' }, old] }, 'wireless')).toEqual([
    "- option ssid 'Office'",
    "+ option ssid 'Hall '",
  ])
  expect(tried.faults({ repeaters: [office, { ...old, security: 'other' }] })).toEqual([
    'repeaters.1.security repeater:fault.other',
  ])
})
