/** What a router counts as its traffic, when the way to the internet changes; and its way where there is only IPv6. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { missingTools, Router } from '#test/openwrt/router'

if (missingTools.length > 0)
  console.warn(`SKIPPED: the traffic of a router, because ${missingTools.join(', ')} is not installed`)

describe.skipIf(missingTools.length > 0)('the traffic of a router', () => {
  const router =
    missingTools.length > 0 ? null : new Router({ host: '127.0.0.1', port: '1', serial: 'OWRT-4' })
  afterAll(() => router?.close())
  const ask = (lines: string) => router?.ask(['keys', 'status'], lines).trim() ?? ''

  const counters = (name: string, rx: number | null, tx = 0) => {
    if (rx === null) router?.remove(`sys/class/net/${name}`)
    for (const [which, bytes] of [['rx', rx] as const, ['tx', tx] as const])
      if (rx !== null) router?.write(`sys/class/net/${name}/statistics/${which}_bytes`, `${bytes}\n`)
  }
  /** Of a status with the default route over this device. */
  const counted = (wan: string) => ask(`traffic '${wan}'`)

  beforeEach(() => {
    router?.remove('var/run/iotagent/traffic')
    for (const name of ['eth0', 'wwan0', 'br-lan']) counters(name, null)
  })

  it('counts on over a failover and back, and nothing of the LAN', () => {
    counters('eth0', 7_000_000_000_000, 1_000)
    counters('wwan0', 50, 20)
    counters('br-lan', 9_000, 9_000)
    expect(counted('eth0')).toBe('7000000000000 1000')
    counters('wwan0', 80, 30)
    expect(counted('wwan0')).toBe('7000000000080 1030')
    counters('wwan0', 100, 40)
    counters('br-lan', 99_000, 99_000)
    expect(counted('wwan0')).toBe('7000000000100 1040')
    counters('eth0', 7_000_000_000_005, 1_001)
    expect(counted('eth0')).toBe('7000000000105 1041')
  })

  it('is counted by two reporters at once, one of which is being replaced, without an error', () => {
    counters('eth0', 700, 300)
    const both = 'traffic eth0 >/dev/null & traffic eth0 >/dev/null & wait'
    expect(ask(`{ ${Array.from({ length: 15 }, () => both).join('; ')}; } 2>&1`)).toBe('')
    expect(counted('eth0')).toBe('700 300')
  })

  it('counts on when a modem connects anew and begins at 0, and without a default route', () => {
    counters('wwan0', 500, 100)
    expect(counted('wwan0')).toBe('500 100')
    counters('wwan0', null)
    expect(counted('')).toBe('500 100')
    counters('wwan0', 600, 10)
    expect(counted('wwan0')).toBe('1100 110')
    counters('wwan0', 30, 20)
    expect(counted('wwan0')).toBe('1130 120')
  })

  it('is that of the IPv6 route where IPv4 has none', () => {
    const zeros = '0'.repeat(32)
    const line = (metric: string, device: string, length = '00', destination = zeros) =>
      `${destination} ${length} ${zeros} 00 fe80${'0'.repeat(27)}1 ${metric} 00000001 00000000 00000003 ${device}`
    const routes = [
      line('00000100', 'br-lan', '40', `20010db8${'0'.repeat(24)}`),
      line('00000e10', 'wwan0'),
      line('00000400', 'eth0'),
      line('ffffffff', 'lo'),
    ]
    router?.write('proc/net/ipv6_route', `${routes.join('\n')}\n`)
    expect(ask('wan_device')).toBe('eth0')
    router?.write('proc/net/route', 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n')
    expect(ask('wan_device')).toBe('eth0')
    router?.write('proc/net/ipv6_route', `${routes[3]}\n`)
    expect(ask('wan_device')).toBe('')
  })
})
