import { describe, expect, it } from 'vitest'
import { withOption, withSection } from './bind.ts'
import { changesUplink, lintConfig } from './lint.ts'
import { sampleDoc, section } from './sample-doc.ts'
import type { UciDoc } from './uci.ts'

type Options = Readonly<Record<string, string | null>>
const set = (doc: UciDoc, name: string, options: Options): UciDoc =>
  withSection(doc, { package: 'network', type: 'interface', name }, (one) =>
    Object.entries(options).reduce((made, [option, value]) => withOption(made, option, value), one),
  )
/** Only the wired uplink is left. */
const wired = set(sampleDoc, 'wan1', { disabled: '1' })
const zones = (...of: readonly (readonly [string, readonly string[]])[]): UciDoc[string] => ({
  name: 'firewall',
  sections: [
    section('defaults', null, { input: 'REJECT', output: 'ACCEPT', forward: 'REJECT' }),
    ...of.map(([name, network]) => section('zone', null, { name, network, output: 'ACCEPT' })),
  ],
})
const said = (before: UciDoc, after: UciDoc, reported?: unknown) =>
  lintConfig(before, after, { wan: reported }).map(({ text }) => text.replace('config:lint.', ''))

describe('a default route', () => {
  const fixed = { proto: 'static', ipaddr: '10.9.0.5', netmask: '255.255.255.0' }

  it('is missing on the only uplink: a static address without a gateway, or one that is configured without it', () => {
    expect(said(wired, set(wired, 'wan', fixed))).toEqual(['noDefaultRoute'])
    expect(said(wired, set(wired, 'wan', { defaultroute: '0' }))).toEqual(['noDefaultRoute'])
  })

  it('is there with a gateway, a route to anywhere, or over another uplink', () => {
    expect(said(wired, set(wired, 'wan', { ...fixed, gateway: '10.9.0.1' }))).toEqual([])
    const routed = set(wired, 'wan', fixed)
    const route = section('route', null, { interface: 'wan', target: '0.0.0.0/0', gateway: '10.9.0.1' })
    const network = { name: 'network', sections: [...(routed['network']?.sections ?? []), route] }
    expect(said(wired, { ...routed, network })).toEqual([])
    expect(said(sampleDoc, set(sampleDoc, 'wan', fixed))).toEqual([])
  })

  it('is taken away by either word that a device reads as no, and by no other', () => {
    expect(said(wired, set(wired, 'wan', { defaultroute: 'false' }))).toEqual(['noDefaultRoute'])
    expect(said(wired, set(wired, 'wan', { defaultroute: 'off' }))).toEqual([])
    // The mobile uplink is off, so the wired one is the only one.
    const worded = set(sampleDoc, 'wan1', { disabled: 'true' })
    expect(said(worded, set(worded, 'wan', fixed))).toEqual(['noDefaultRoute'])
    const ignored = set(sampleDoc, 'wan1', { disabled: 'yes' })
    expect(said(ignored, set(ignored, 'wan', fixed))).toEqual([])
  })

  it('that was not there before locks nothing', () => {
    const without = set(wired, 'wan', fixed)
    expect(said(without, set(without, 'wan', { metric: '7' }))).toEqual([])
  })
})

describe('the zone of an uplink', () => {
  const before = { ...wired, firewall: zones(['lan', ['lan']], ['wan', ['wan', 'wan1']]) }

  it('is lost: said with its name', () => {
    const after = { ...before, firewall: zones(['lan', ['lan']], ['wan', ['wan1']]) }
    expect(lintConfig(before, after)).toEqual([{ text: 'config:lint.noZone', params: { name: 'wan' } }])
  })

  it('is lost with the whole firewall: without any defaults fw4 lets nothing out', () => {
    expect(said(before, { ...before, firewall: { name: 'firewall', sections: [] } })).toEqual([
      'outputBlocked',
    ])
    const { firewall: _, ...without } = before
    expect(said(before, without)).toEqual([])
  })

  it('may be another one; one that is off needs none, one that is new does', () => {
    expect(said(before, { ...before, firewall: zones(['lan', ['lan']], ['out', ['wan', 'wan1']]) })).toEqual(
      [],
    )
    expect(said(before, { ...before, firewall: zones(['lan', ['lan']], ['wan', ['wan']]) })).toEqual([])
    expect(said(before, set(before, 'wan2', { proto: 'qmi' }))).toEqual(['noZone'])
  })
})

describe('LAN and WAN in one network', () => {
  const lan = (doc: UciDoc, ipaddr: string) => set(doc, 'lan', { ipaddr })
  const reported = [{ name: 'eth0', up: true, ip: '192.168.1.77', netmask: '255.255.255.0' }]

  it('also if the WAN gets its address from outside, as reported by the device', () => {
    expect(said(wired, lan(wired, '192.168.1.1/24'), reported)).toEqual(['overlap'])
    expect(said(wired, lan(wired, '192.168.0.1/16'), reported)).toEqual(['overlap'])
    expect(said(wired, lan(wired, '192.168.2.1/24'), reported)).toEqual([])
  })

  it('not where that is no news, is down, or is changed, too', () => {
    const before = lan(wired, '192.168.1.1/24')
    expect(said(before, lan(wired, '192.168.1.2/24'), reported)).toEqual([])
    expect(said(wired, before, [{ ...reported[0], up: false }])).toEqual([])
    const fixed = { proto: 'static', ipaddr: '10.9.0.5/24', gateway: '10.9.0.1' }
    expect(said(wired, set(before, 'wan', fixed), reported)).toEqual([])
    for (const odd of [undefined, null, 'x', [{}]]) expect(said(wired, before, odd)).toEqual([])
  })
})

describe('the uplink that the device reports', () => {
  const both = set(sampleDoc, 'wan1', { apn: 'other.example' })
  const cellular = {
    ...sampleDoc,
    network: {
      name: 'network',
      sections: [
        ...(sampleDoc['network']?.sections ?? []),
        section('interface', 'cellular', { proto: 'qmi', metric: '5' }),
      ],
    },
  }

  it('is what a change touches or not, and not another one that is called like an uplink', () => {
    expect(changesUplink(sampleDoc, both)).toBe(true)
    expect(changesUplink(sampleDoc, both, 'wan1')).toBe(true)
    expect(changesUplink(sampleDoc, both, 'wan')).toBe(false)
    const renewed = set(cellular, 'cellular', { metric: '6' })
    expect(changesUplink(cellular, renewed)).toBe(false)
    expect(changesUplink(cellular, renewed, 'cellular')).toBe(true)
    // It is gone meanwhile: then by name.
    expect(changesUplink(sampleDoc, both, 'cellular')).toBe(true)
  })

  it('keeps its default route while it is used; it may be switched off while another one is left', () => {
    const lint = (after: UciDoc, uplink: string | null) =>
      lintConfig(sampleDoc, after, { uplink }).map(({ text, params }) => `${text} ${params['name']}`)
    const without = set(sampleDoc, 'wan', { defaultroute: '0' })
    expect(lint(without, null)).toEqual([])
    expect(lint(without, 'wan1')).toEqual([])
    expect(lint(without, 'wan')).toEqual(['config:lint.noDefaultRoute wan'])
    expect(lint(set(sampleDoc, 'wan', { disabled: '1' }), 'wan')).toEqual([])
  })
})

describe('two uplinks of one metric', () => {
  // netifd replaces the default route of one by that of the other, and removes it with that one.
  const wwan = (options: Options) => set(sampleDoc, 'wwan', { proto: 'dhcp', ...options })

  it('are refused, also the one without a metric', () => {
    const unnumbered = set(sampleDoc, 'wan', { metric: null })
    expect(said(unnumbered, set(unnumbered, 'wwan', { proto: 'dhcp' }))).toContain('sameMetric')
    expect(said(sampleDoc, wwan({ metric: '20' }))).toContain('sameMetric')
    expect(said(sampleDoc, wwan({ metric: '50' }))).not.toContain('sameMetric')
    expect(said(sampleDoc, set(sampleDoc, 'wan', { metric: '20' }))).toEqual(['sameMetric'])
  })

  it('are no harm with a table of their own, without a default route, or for IPv6', () => {
    const harmless: Options[] = [
      { ip4table: '7' },
      { defaultroute: '0' },
      { proto: 'dhcpv6' },
      { disabled: '1' },
    ]
    for (const options of harmless)
      expect(said(sampleDoc, wwan({ metric: '20', ...options }))).not.toContain('sameMetric')
  })

  it('that were there before lock nothing', () => {
    expect(said(wwan({ metric: '20' }), set(wwan({ metric: '20' }), 'wwan', { hostname: 'a' }))).toEqual([])
  })
})
