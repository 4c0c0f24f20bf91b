import { describe, expect, it } from 'vitest'
import { section } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { wireless } from './wireless.ts'

const { values, lines, faults, ...tried } = triedPage(wireless)
/** A text may be too long and of a wrong form. */
const bounds = (changed: object) => {
  const { server, form } = tried.bounds({ ...changed })
  return { server: [...new Set(server)], form }
}
const [shop, office] = values.networks
const [radio0, radio1] = values.radios
if (!shop || !office || !radio0 || !radio1) throw new Error('the sample has two radios and two access points')
const withShop = (changed: object) => ({ networks: [{ ...shop, ...changed }, office] })

it('reads radios and access points, and leaves networks that a radio joins to the repeater', () => {
  expect(values.radios.map(({ id, band, enabled }) => [id, band, enabled])).toEqual([
    ['radio0', '2g', true],
    ['radio1', '5g', false],
  ])
  expect(values.networks.map(({ ssid, security }) => [ssid, security])).toEqual([
    ['Shop', 'psk2'],
    ['Office', 'other'],
  ])
})

it('reads the band of a release before 21.02', () => {
  const old = {
    wireless: {
      name: 'wireless',
      sections: [{ type: 'wifi-device', name: 'radio0', options: [{ name: 'hwmode', value: '11a' }] }],
    },
  }
  expect(triedPage(wireless, old).values.radios[0]?.band).toBe('5g')
})

it('reads a width with the side of the second channel, and a country in lower case, and keeps them', () => {
  const radio0 = section('wifi-device', 'radio0', {
    band: '2g',
    htmode: 'HT40+',
    country: 'de',
    channel: '1',
  })
  const page = triedPage(wireless, { wireless: { name: 'wireless', sections: [radio0] } })
  const [radio] = page.values.radios
  if (!radio) throw new Error('there is one')
  expect([radio.width, radio.country, page.bounds({})]).toEqual(['HT40', 'DE', { server: [], form: [] }])
  expect(page.lines({ radios: [{ ...radio, channel: '6' }] }, 'wireless')).toEqual([
    "- option channel '1'",
    "+ option channel '6'",
  ])
  expect(page.lines({ radios: [{ ...radio, country: '' }] }, 'wireless')).toEqual(["- option country 'de'"])
})

it('changes only its own lines; a key keeps its blanks', () => {
  expect(lines(withShop({ ssid: ' Shop 2', key: ' eight ok ' }), 'wireless')).toEqual([
    "- option ssid 'Shop'",
    "- option key 'not a real key '",
    "+ option ssid ' Shop 2'",
    "+ option key ' eight ok '",
  ])
})

it('keeps the cipher while the security does not change', () => {
  expect(lines(withShop({ hidden: true }), 'wireless')).toEqual(["+ option hidden '1'"])
  expect(lines(withShop({ security: 'sae' }), 'wireless')).toEqual([
    "- option encryption 'psk2+ccmp'",
    "+ option encryption 'sae'",
  ])
})

it('adds a network as an anonymous access point', () => {
  const added = { ...shop, id: '', ssid: 'Guests', isolate: true }
  expect(lines({ networks: [...values.networks, added] }, 'wireless')).toEqual([
    '+ config wifi-iface',
    "+ option mode 'ap'",
    "+ option device 'radio0'",
    "+ option ssid 'Guests'",
    "+ option encryption 'psk2'",
    "+ option key 'not a real key '",
    "+ option isolate '1'",
    "+ option network 'lan'",
  ])
})

it('admits only the listed clients, or all others; an empty list would admit none', () => {
  const macs = ['02:00:5E:30:00:01', '02:00:5E:30:00:02']
  expect(lines(withShop({ macFilter: 'allow', macs }), 'wireless')).toEqual([
    "+ option macfilter 'allow'",
    "+ list maclist '02:00:5E:30:00:01'",
    "+ list maclist '02:00:5E:30:00:02'",
  ])
  expect(faults(withShop({ macFilter: 'allow', macs: [] }))).toEqual([
    'networks.0.macs wireless:fault.noMacs',
  ])
  expect(faults(withShop({ macFilter: 'deny', macs: [] }))).toEqual([])
  expect(bounds(withShop({ macFilter: 'deny', macs: ['02:00'] }))).toEqual({
    server: ['networks.0.macs.0'],
    form: ['networks.0.macs'],
  })
})

it('a filter that is switched off is written as none: newer devices start no radio for another word', () => {
  const filtered = tried.write(withShop({ macFilter: 'allow', macs: ['02:00:5E:10:00:01'] }))
  const page = triedPage(wireless, filtered)
  const off = page.values.networks.map((one) => ({ ...one, macFilter: 'disable' }) as const)
  const after = page.write({ networks: off })['wireless']?.sections ?? []
  expect(after.flatMap(({ options }) => options).map(({ name }) => name)).not.toContain('macfilter')
})
describe('[§5 Wifi key] 8 to 63 printable ASCII characters, or 64 hexadecimal digits', () => {
  const path = ['networks.0.key']
  it.each([['seven77'], ['x'.repeat(64)], ['密码密码密码密码'], ['tab\there!'], ['x'.repeat(65)]])(
    'refuses %j',
    (key) => {
      expect(bounds(withShop({ key }))).toEqual({ server: path, form: path })
    },
  )
  it.each([['eight888'], ['x'.repeat(63)], ['0a'.repeat(32)]])('accepts %j', (key) => {
    expect(bounds(withShop({ key }))).toEqual({ server: [], form: [] })
    expect(faults(withShop({ key }))).toEqual([])
  })
  it('takes no hexadecimal key with WPA3', () => {
    expect(faults(withShop({ security: 'sae', key: '0a'.repeat(32) }))).toEqual([
      'networks.0.key wireless:fault.saeKey',
    ])
  })
  it('asks for a key where one is used', () => {
    expect(bounds(withShop({ key: '' })).form).toEqual(path)
    expect(bounds(withShop({ key: '', security: 'owe' })).form).toEqual([])
  })
})

it('counts the name of a network in bytes', () => {
  const path = ['networks.0.ssid']
  expect(bounds(withShop({ ssid: '商'.repeat(11) }))).toEqual({ server: path, form: path })
  expect(bounds(withShop({ ssid: '商'.repeat(10) }))).toEqual({ server: [], form: [] })
  expect(bounds(withShop({ ssid: 'x'.repeat(33) }))).toEqual({ server: path, form: path })
})

it.each([
  ['channel', 'high'],
  ['country', 'germany'],
  ['power', 37],
  // With 0, newer scripts send as much as is allowed.
  ['power', 0],
  ['width', 'HT80'],
])('refuses the %s %j of a radio in form and schema', (name, value) => {
  const path = [`radios.0.${name}`]
  expect(bounds({ radios: [{ ...radio0, [name]: value }, radio1] })).toEqual({ server: path, form: path })
})

it.each([
  [{ radios: [radio0] }, 'radios wireless:fault.radios'],
  [{ radios: [{ ...radio0, band: '5g' as const }, radio1] }, 'radios.0.band wireless:fault.band'],
  [{ radios: [{ ...radio0, channel: '36' }, radio1] }, 'radios.0.channel wireless:fault.channel'],
  [{ radios: [{ ...radio0, width: 'VHT80' as const }, radio1] }, 'radios.0.width wireless:fault.width'],
  [
    { radios: [radio0, { ...radio1, enabled: true, channel: '6' }] },
    'radios.1.channel wireless:fault.channel',
  ],
  [withShop({ radio: 'radio7' }), 'networks.0.radio config:missing.radio'],
  [withShop({ networks: ['guest'] }), 'networks.0.networks config:missing.interface'],
  [withShop({ security: 'other' }), 'networks.0.security wireless:fault.other'],
  [{ networks: [shop, { ...shop, id: '' }] }, 'networks.1.ssid wireless:fault.ssidTwice'],
])('refuses what does not fit together: %#', (changed, fault) => {
  expect(faults(changed)).toContain(fault)
})

it('protects management frames as configured, and not less than the security mode requires', () => {
  expect(lines(withShop({ protection: '1' }), 'wireless')).toEqual(["+ option ieee80211w '1'"])
  expect(lines(withShop({ protection: 'auto' }), 'wireless')).toEqual([])
  const found = faults(withShop({ security: 'sae', protection: '1' }))
  expect(found).toContain('networks.0.protection wireless:fault.unprotected')
  expect(faults(withShop({ security: 'sae-mixed', protection: '1' }))).toEqual([])
})

it('at 6 GHz takes only what is permitted there', () => {
  const sections = [
    section('wifi-device', 'radio0', { band: '6g', channel: '37', htmode: 'HE80' }),
    section('wifi-iface', 'ap', {
      device: 'radio0',
      mode: 'ap',
      ssid: 'Shop',
      encryption: 'sae',
      key: 'longer-than-8',
    }),
  ]
  const page = triedPage(wireless, { wireless: { name: 'wireless', sections } })
  const [network] = page.values.networks
  if (!network) throw new Error('there is one')
  const faults = (changes: Partial<typeof network>) => page.faults({ networks: [{ ...network, ...changes }] })
  expect([faults({}), faults({ security: 'owe' }), faults({ security: 'psk2', enabled: false })]).toEqual([
    [],
    [],
    [],
  ])
  for (const security of ['none', 'psk2', 'sae-mixed'] as const)
    expect(faults({ security })).toEqual(['networks.0.security wireless:fault.sixGHz'])
})

describe('what hostapd starts with the files that OpenWrt makes', () => {
  const fifth = { ...radio1, enabled: true, channel: '36', width: 'VHT80' as const, country: radio0.country }
  const at = (changed: object) => faults({ radios: [radio0, { ...fifth, ...changed }] })

  it('is no radio with the country 00', () => {
    expect(faults({ radios: [{ ...radio0, country: '00' }, radio1] })).toEqual([
      'radios.0.country wireless:fault.countryWorld',
    ])
    expect(faults({ radios: [{ ...radio0, country: '00', enabled: false }, radio1] })).toEqual([])
  })

  it('is one country for all radios', () => {
    expect(at({})).toEqual([])
    expect(at({ country: '' })).toEqual([])
    expect(at({ country: 'US' })).toEqual(['radios.1.country wireless:fault.countries'])
    expect(at({ country: 'US', enabled: false })).toEqual([])
  })

  it.each([
    ['5g', '37', 'VHT80', 'channel'],
    ['5g', '50', 'VHT20', 'channel'],
    ['5g', '32', 'VHT20', 'channel'],
    ['5g', '036', 'VHT20', 'channel'],
    ['6g', '001', 'HE20', 'channel'],
    ['5g', '132', 'VHT160', 'width'],
    ['5g', '144', 'HE160', 'width'],
    ['6g', '997', 'HE20', 'channel'],
    ['6g', '233', 'HE40', 'width'],
    ['6g', '225', 'HE80', 'width'],
    ['6g', '225', 'EHT320', 'width'],
  ] as const)('is nothing at %s on channel %s with %s', (band, channel, width, field) => {
    const radio = section('wifi-device', 'radio0', { band, channel, htmode: width })
    const page = triedPage(wireless, { wireless: { name: 'wireless', sections: [radio] } })
    expect(page.faults({}).map((one) => one.split(' ')[0])).toEqual([`radios.0.${field}`])
  })

  it.each([
    ['5g', '100', 'VHT160'],
    ['5g', '64', 'HE160'],
    ['5g', '144', 'VHT80'],
    ['5g', '165', 'VHT20'],
    ['6g', '1', 'EHT320'],
    ['6g', '221', 'HE160'],
    ['6g', '229', 'HE40'],
    ['6g', '233', 'HE20'],
    ['2g', '13', 'HT40'],
  ] as const)('is a radio at %s on channel %s with %s', (band, channel, width) => {
    const radio = section('wifi-device', 'radio0', { band, channel, htmode: width })
    expect(triedPage(wireless, { wireless: { name: 'wireless', sections: [radio] } }).faults({})).toEqual([])
  })

  it('offers no protected management frames with WPA of the first kind, which has none', () => {
    expect(lines(withShop({ security: 'psk', protection: '2' }), 'wireless')).not.toContain(
      "+ option ieee80211w '2'",
    )
  })
})
