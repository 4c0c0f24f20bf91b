import { describe, expect, it } from 'vitest'
import { sampleDoc, section } from '../sample-doc.ts'
import { changedLines, triedPage } from '../tried-page.ts'
import { sim } from './sim.ts'

const { values, lines, bounds, faults } = triedPage(sim)
const { sim1, sim2, policy } = values
const on = { ...policy, enabled: true, target: '192.0.2.1' }
const qmi = { abilities: new Set(['mobile', 'dualSim', 'qmi', 'simSwitch']), model: null }
const second = { ...sim2, enabled: true, apn: 'other.example', metric: 30 }

it('reads the interface of a card with the options of its protocol', () => {
  expect(sim1).toMatchObject({
    enabled: true,
    apn: 'iot.example',
    auth: 'chap',
    mode: '4g3g',
    ipType: 'ipv4',
    metric: 20,
  })
  expect(sim2.enabled).toBe(false)
})

it('writes mode and kind of address as the protocol calls them', () => {
  expect(lines({ sim1: { ...sim1, mode: '5g4g', ipType: 'ipv4v6' } }, 'network')).toEqual([
    "- option modes 'umts,lte'",
    "+ option modes '5gnr,lte'",
    "+ option pdptype 'ipv4v6'",
  ])
  const network = {
    name: 'network',
    sections: [
      {
        type: 'interface',
        name: 'wan1',
        options: [
          { name: 'proto', value: 'modemmanager' },
          { name: 'allowedauth', value: 'pap chap' },
          { name: 'allowedmode', value: '3g|4g' },
        ],
      },
    ],
  }
  const managed = triedPage(sim, { network })
  expect(managed.values.sim1).toMatchObject({ auth: 'both', mode: '4g3g' })
  expect(
    managed.lines(
      { sim1: { ...managed.values.sim1, auth: 'pap', mode: 'auto', ipType: 'ipv6', username: 'a' } },
      'network',
    ),
  ).toEqual([
    "- option allowedauth 'pap chap'",
    "- option allowedmode '3g|4g'",
    "+ option allowedauth 'pap'",
    "+ option allowedmode 'any'",
    "+ option username 'a'",
    "+ option iptype 'ipv6'",
  ])
})

it('gives a new card a protocol, the modem of the other, and the zone of the uplinks', () => {
  const after = sim.write(sampleDoc, { ...values, sim2: second }, qmi)
  expect(changedLines(sampleDoc, after, 'network')).toEqual([
    "+ config interface 'wan2'",
    "+ option disabled '0'",
    "+ option apn 'other.example'",
    "+ option metric '30'",
    "+ option proto 'qmi'",
    "+ option device '/dev/cdc-wdm0'",
  ])
  expect(changedLines(sampleDoc, after, 'firewall')).toEqual([
    "- option network 'wan wan1'",
    "+ list network 'wan'",
    "+ list network 'wan1'",
    "+ list network 'wan2'",
  ])
})

it('keeps the name and the password of a card that is switched off or needs none', () => {
  expect(lines({ sim1: { ...sim1, enabled: false, apn: '' } }, 'network')).toEqual(["+ option disabled '1'"])
  expect(lines({ sim1: { ...sim1, auth: 'none', username: '' } }, 'network')).toEqual([
    "- option auth 'chap'",
    "+ option auth 'none'",
  ])
})

it('writes the policy to the package of the agent', () => {
  expect(lines({ policy: { ...on, rssiMin: 8, back: false } }, 'simswitch')).toEqual([
    '+ package simswitch',
    "+ config policy 'policy'",
    "+ option enabled '1'",
    "+ option rssi_min '8'",
    "+ option target '192.0.2.1'",
    "+ option back '0'",
  ])
})

describe('[§5 SIM monitoring]', () => {
  it.each([
    ['rssiMin', -1],
    ['rssiMin', 31],
    ['latencyMaxMs', 99],
    ['latencyMaxMs', 3001],
    ['retries', -1],
    ['retries', 6],
    ['backAfterMinutes', 0],
    ['intervalS', 9],
  ])('refuses %s %d in form and schema', (name, value) => {
    const path = [`policy.${name}`]
    expect(bounds({ policy: { ...on, [name]: value } })).toEqual({ server: path, form: path })
  })
  it.each([
    ['rssiMin', 0],
    ['rssiMin', 30],
    ['latencyMaxMs', 100],
    ['latencyMaxMs', 3000],
    ['retries', 0],
    ['retries', 5],
  ])('accepts %s %d', (name, value) => {
    expect(bounds({ policy: { ...on, [name]: value } })).toEqual({ server: [], form: [] })
  })
})

it.each([
  ['username', 'two words'],
  ['password', 'two words'],
  ['apn', 'iot example'],
  ['pin', '123'],
  ['pin', '12a4'],
  ['metric', 10_000],
  ['mode', '6g'],
])('refuses %s %j in form and schema', (name, value) => {
  const path = [`sim1.${name}`]
  expect(bounds({ sim1: { ...sim1, [name]: value } })).toEqual({ server: path, form: path })
})

it('needs a user name to sign in, and a host to ping', () => {
  expect(bounds({ sim1: { ...sim1, username: '' } }).form).toEqual(['sim1.username'])
  expect(bounds({ policy: { ...on, target: '' } }).form).toEqual(['policy.target'])
  expect(bounds({ sim1: { ...sim1, username: '', auth: 'none' } }).form).toEqual([])
})

it('refuses what the device cannot do', () => {
  expect(faults({ sim2: second })).toEqual(['sim2.enabled sim:fault.oneSlot'])
  expect(faults({ sim2: { ...second, metric: 20 } }, ['dualSim'])).toEqual([
    'sim2.metric sim:fault.sameMetric',
  ])
  expect(faults({ policy: on })).toEqual(['policy.enabled sim:fault.noSwitch'])
  expect(faults({ sim2: second, policy: on }, ['dualSim', 'simSwitch'])).toEqual([])
  const empty = triedPage(sim, {})
  expect(empty.faults({ sim1: { ...empty.values.sim1, enabled: true } }, ['modemmanager'])).toEqual([
    'sim1.enabled sim:fault.noModem',
  ])
})

it('chooses the operator and MS-CHAPv2 where the protocol can', () => {
  expect(lines({ sim1: { ...sim1, operator: '46000' } }, 'network')).toEqual(["+ option plmn '46000'"])
  expect(bounds({ sim1: { ...sim1, operator: '460' } })).toEqual({
    server: ['sim1.operator'],
    form: ['sim1.operator'],
  })
  expect(faults({ sim1: { ...sim1, auth: 'mschapv2' } })).toEqual(['sim1.auth sim:fault.notMschapv2'])
  const over = (proto: string) => {
    const options = [
      { name: 'proto', value: proto },
      { name: proto === 'mbim' ? 'auth' : 'allowedauth', value: 'mschapv2' },
    ]
    const network = { name: 'network', sections: [{ type: 'interface', name: 'wan1', options }] }
    const page = triedPage(sim, { network })
    const given = { sim1: { ...page.values.sim1, apn: 'iot.example', operator: '46000' } }
    return [page.values.sim1.auth, page.faults(given)]
  }
  expect(over('mbim')).toEqual(['mschapv2', ['sim1.operator sim:fault.operatorUnsupported']])
  expect(over('modemmanager')).toEqual(['mschapv2', []])
})

/** Protocol handlers of OpenWrt were run with these options, beside stand-ins of their modem programs. */
describe('what the script of a protocol does with the options', () => {
  const over = (proto: string, options: Readonly<Record<string, string>> = {}) =>
    triedPage(sim, {
      network: { name: 'network', sections: [section('interface', 'wan1', { proto, ...options })] },
    })
  const signedIn = { apn: 'a.example', username: 'u', password: 'p' }

  it.each([
    ['5g4g', '4g|5g', '5g'],
    ['4g3g', '3g|4g', '4g'],
  ] as const)(
    'prefers a mode of several (%s): ModemManager connects with none otherwise',
    (mode, allowed, preferred) => {
      const page = over('modemmanager')
      expect(page.lines({ sim1: { ...page.values.sim1, mode } }, 'network')).toEqual([
        `+ option allowedmode '${allowed}'`,
        `+ option preferredmode '${preferred}'`,
      ])
    },
  )

  it('adds a preference that is missing already, and keeps one that fits', () => {
    const lines = (options: Readonly<Record<string, string>>) => {
      const page = over('modemmanager', options)
      return page.lines({ sim1: { ...page.values.sim1, pin: '1234' } }, 'network')
    }
    expect(lines({ allowedmode: '3g|4g' })).toEqual([
      "+ option pincode '1234'",
      "+ option preferredmode '4g'",
    ])
    expect(lines({ allowedmode: '3g|4g', preferredmode: '3g' })).toEqual(["+ option pincode '1234'"])
    expect(lines({ allowedmode: '3g|4g', preferredmode: '5g' })).toContain("+ option preferredmode '4g'")
  })

  it('says "none" to ModemManager, which signs in with any user name that is there', () => {
    const page = over('modemmanager', signedIn)
    expect(page.values.sim1.auth).toBe('both')
    expect(page.lines({ sim1: { ...page.values.sim1, auth: 'none' } }, 'network')).toEqual([
      "+ option allowedauth 'none'",
    ])
    expect(over('modemmanager', { ...signedIn, allowedauth: 'none' }).values.sim1.auth).toBe('none')
  })

  it('numbers the authentication for AT commands, and takes the name away where there is none', () => {
    const page = over('ncm', { ...signedIn, auth: 'chap' })
    expect(page.values.sim1.auth).toBe('chap')
    const chosen = (auth: 'pap' | 'chap' | 'none') =>
      page.lines({ sim1: { ...page.values.sim1, auth } }, 'network')
    expect(chosen('pap')).toEqual(["- option auth 'chap'", "+ option auth '1'"])
    expect(chosen('chap')).toEqual(["- option auth 'chap'", "+ option auth '2'"])
    expect(chosen('none')).toEqual(["- option username 'u'", "- option password 'p'", "- option auth 'chap'"])
    expect(over('ncm', { ...signedIn, auth: '1' }).values.sim1.auth).toBe('pap')
    expect(page.faults({ sim1: { ...page.values.sim1, auth: 'both' } })).toEqual([
      'sim1.auth sim:fault.notBoth',
    ])
  })

  it('knows that 3g signs in as it is asked, over IPv4', () => {
    const page = over('3g', signedIn)
    expect(page.values.sim1.auth).toBe('both')
    expect(page.lines({ sim1: { ...page.values.sim1, auth: 'none' } }, 'network')).toEqual([
      "- option username 'u'",
      "- option password 'p'",
    ])
    expect(page.faults({ sim1: { ...page.values.sim1, auth: 'pap', ipType: 'ipv6' } })).toEqual([
      'sim1.auth sim:fault.onlyBoth',
      'sim1.ipType sim:fault.onlyIpv4',
    ])
  })

  it.each([
    ['mbim', { apn: '' }, 'sim1.apn sim:fault.apnNeeded'],
    ['qmi', { operator: '00101' }, 'sim1.operator sim:fault.operatorZero'],
    ['3g', { apn: 'a;reboot' }, 'sim1.apn sim:fault.apnPlain'],
    ['ncm', { apn: 'a"b' }, 'sim1.apn sim:fault.apnPlain'],
    ['modemmanager', { password: 'a,b' }, 'sim1.password sim:fault.noComma'],
    ['modemmanager', { username: '"u' }, 'sim1.username sim:fault.noComma'],
    ['modemmanager', { apn: 'a,b' }, 'sim1.apn sim:fault.noComma'],
  ])('refuses what %s cannot be given: %j', (proto, changed, fault) => {
    const page = over(proto, { ...signedIn, auth: proto === 'qmi' ? 'pap' : '' })
    expect(page.faults({ sim1: { ...page.values.sim1, ...changed } })).toEqual([fault])
    expect(page.faults({})).toEqual([])
  })
})

it('gives a second card the protocol of the first, whose modem it is in, and asks for one where none is known', () => {
  const beside = (proto: string, device: string) => {
    const network = { name: 'network', sections: [section('interface', 'wan1', { proto, device })] }
    const page = triedPage(sim, { network })
    const written = sim.write({ network }, { ...page.values, sim2: { ...second, auth: 'none' } }, qmi)
    return changedLines({ network }, written, 'network').filter((line) => /proto|device/.test(line))
  }
  expect(beside('mbim', '/dev/cdc-wdm0')).toEqual([
    "+ option proto 'mbim'",
    "+ option device '/dev/cdc-wdm0'",
  ])
  expect(beside('modemmanager', '/sys/devices/usb1')).toEqual([
    "+ option proto 'modemmanager'",
    "+ option device '/sys/devices/usb1'",
  ])
  const empty = triedPage(sim, {})
  const first = { sim1: { ...empty.values.sim1, enabled: true } }
  expect(empty.faults(first, ['qmi'])).toEqual([])
  expect(empty.faults(first, [])).toEqual(['sim1.enabled sim:fault.noModem'])
})

it('gives new cards metrics behind that of the wired uplink, which would lose its default route', () => {
  const wired = { network: { name: 'network', sections: [section('interface', 'wan', { proto: 'dhcp' })] } }
  const page = triedPage(sim, wired)
  expect([page.values.sim1.metric, page.values.sim2.metric]).toEqual([30, 40])
  const both = { sim1: { ...page.values.sim1, enabled: true }, sim2: { ...page.values.sim2, enabled: true } }
  expect(page.lines(both, 'network').filter((line) => line.includes('metric'))).toEqual([
    "+ option metric '30'",
    "+ option metric '40'",
  ])
})
