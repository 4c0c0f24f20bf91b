/** A small configuration of a router for the tests of pages. */
import type { UciDoc, UciSection } from './uci.ts'

type Options = Readonly<Record<string, string | readonly string[]>>

export const section = (type: string, name: string | null, options: Options): UciSection => ({
  type,
  name,
  options: Object.entries(options).map(([option, value]) => ({ name: option, value })),
})

export const sampleDoc: UciDoc = {
  network: {
    name: 'network',
    sections: [
      section('interface', 'loopback', {
        device: 'lo',
        proto: 'static',
        ipaddr: '127.0.0.1',
        netmask: '255.0.0.0',
      }),
      section('device', null, { name: 'br-lan', type: 'bridge', ports: ['lan1', 'lan2'] }),
      section('interface', 'lan', {
        device: 'br-lan',
        proto: 'static',
        ipaddr: '192.168.8.1/24',
        ip6assign: '60',
      }),
      section('device', null, { name: 'eth0', macaddr: '02:00:5E:10:00:01' }),
      section('interface', 'wan', { device: 'eth0', proto: 'dhcp', metric: '10', some_other: 'kept' }),
    ],
  },
}
