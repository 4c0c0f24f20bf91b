/** What the agent reports of the uplink: the interface of its configuration that has the default route, and what is on which side of it. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { missingTools, networkText, Router } from '#test/openwrt/router'

if (missingTools.length > 0)
  console.warn(`SKIPPED: the uplink of a router, because ${missingTools.join(', ')} is not installed`)

const ANY = '00000000'
type Route = { device: string; target?: string; metric?: number; mask?: string }

describe.skipIf(missingTools.length > 0)('the uplink of a router', () => {
  const router =
    missingTools.length > 0 ? null : new Router({ host: '127.0.0.1', port: '1', serial: 'OWRT-3' })
  afterAll(() => router?.close())

  const routes = (...all: Route[]) => {
    const lines = all.map(({ device, target = ANY, metric = 0, mask = ANY }) =>
      [device, target, '0100A8C0', '0003', 0, 0, metric, mask, 0, 0, 0].join('\t'),
    )
    router?.write(
      'proc/net/route',
      `Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n${lines.join('\n')}\n`,
    )
  }
  /** What netifd has up, by device. */
  const interfaces = (...all: [name: string, device: string][]) =>
    router?.write(
      'answers/network.interface-dump',
      JSON.stringify({
        interface: all.map(([name, device]) => ({ interface: name, up: true, l3_device: device })),
      }),
    )
  const uplink = () => router?.ask(['keys', 'status'], 'uplink').trim() ?? ''

  beforeEach(() => {
    router?.write('etc/config/network', `${networkText()}\nconfig interface 'wan1'\n\toption proto 'qmi'\n`)
    interfaces(['lan', 'br-lan'], ['wan', 'eth0'], ['wan1', 'wwan0'], ['wan1_4', 'wwan0'])
  })

  it('is the interface of the default route', () => {
    routes({ device: 'eth0' })
    expect(uplink()).toBe('wan')
  })

  it('is that of the lowest metric, of several default routes in any order', () => {
    routes({ device: 'wwan0', metric: 20 }, { device: 'eth0', metric: 10 })
    expect(uplink()).toBe('wan')
    routes({ device: 'wwan0', metric: 9 }, { device: 'eth0', metric: 10 })
    expect(uplink()).toBe('wan1')
  })

  it('is no network that merely has a route of its own', () => {
    routes({ device: 'br-lan', target: '0001A8C0', mask: '00FFFFFF' }, { device: 'eth0', metric: 50 })
    expect(uplink()).toBe('wan')
    // Half of all addresses, as VPNs set it, is not the default route.
    routes({ device: 'br-lan', mask: '00000080' }, { device: 'eth0', metric: 50 })
    expect(uplink()).toBe('wan')
  })

  it('is the interface of the configuration where the address belongs to a child of it', () => {
    routes({ device: 'wwan0' })
    interfaces(['wan1_4', 'wwan0'])
    expect(uplink()).toBe('wan1')
    interfaces(['wan_6', 'eth0'], ['wan', 'eth0'])
    routes({ device: 'eth0' })
    expect(uplink()).toBe('wan')
  })

  it('is unknown without a default route, and where no interface of the configuration has its device', () => {
    routes()
    expect(uplink()).toBe('')
    routes({ device: 'br-lan', target: '0001A8C0', mask: '00FFFFFF' })
    expect(uplink()).toBe('')
    routes({ device: 'tun7' })
    expect(uplink()).toBe('')
    // An interface that a program added, such as a VPN, is in no file.
    interfaces(['vpn7', 'tun7'])
    expect(uplink()).toBe('')
  })

  /** As netifd answers on a router with the configuration of the factory. */
  const lines = (wan: object, wan6: object) => {
    router?.write(
      'answers/network.interface-dump',
      JSON.stringify({
        interface: [
          { interface: 'wan', up: false, proto: 'dhcp', device: 'eth0', ...wan },
          { interface: 'wan6', up: false, proto: 'dhcpv6', device: 'eth0', ...wan6 },
        ],
      }),
    )
    return JSON.parse(`{${router?.ask(['keys', 'status', 'facts'], 'network_sections').slice(1)}}`).wan
  }
  const v4 = { up: true, l3_device: 'eth0', 'ipv4-address': [{ address: '192.0.2.17', mask: 24 }] }
  const v6 = { up: true, l3_device: 'eth0', 'ipv6-address': [{ address: '2001:db8::17', mask: 64 }] }

  it('is one line with IPv4 and IPv6, and none that is down where the provider has no IPv6', () => {
    const one = [{ name: 'eth0', up: true, protocol: 'dhcp', ip: '192.0.2.17', netmask: '255.255.255.0' }]
    expect(lines(v4, v6)).toEqual(one)
    expect(lines(v4, {})).toEqual(one)
  })

  it('is a line with its IPv6 address where there is no IPv4', () => {
    expect(lines({}, v6)).toEqual([
      { name: 'wan', up: false, protocol: 'dhcp' },
      { name: 'eth0', up: true, ip: '2001:db8::17' },
    ])
    expect(lines({}, {})).toEqual([{ name: 'wan', up: false, protocol: 'dhcp' }])
    const off = { up: true, proto: 'none', l3_device: 'eth0' }
    expect(lines(off, v6)).toEqual([
      { name: 'eth0', up: true, protocol: 'none' },
      { name: 'eth0', up: true, ip: '2001:db8::17' },
    ])
    // The sixth of many has an address of its own.
    expect(lines(v4, { ...v4, l3_device: 'eth5' })).toHaveLength(2)
  })

  it('has the gateway of the provider behind it, which is no host of the LAN', () => {
    routes({ device: 'eth0' })
    router?.write(
      'proc/net/arp',
      'IP address HW type Flags HW address Mask Device\n' +
        '192.0.2.1 0x1 0x2 02:00:5e:10:00:01 * eth0\n192.168.1.113 0x1 0x2 02:00:5e:10:00:77 * br-lan\n',
    )
    expect(router?.ask(['keys', 'status', 'facts'], 'hosts_count').trim()).toBe('1')
  })
})
