/** Which interface of its configuration the agent reports as uplink: that of the default route, or none. */
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
})
