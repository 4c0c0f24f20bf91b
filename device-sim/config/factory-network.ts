/** The packages of a new device that decide how it is connected: network, dhcp, firewall, wireless. */
import type { UciPackage } from '#schema/config/uci'
import { abilitiesOf } from './abilities.ts'
import { pkg, section } from './make.ts'
import { lanNet, type Site, wifiKey } from './site.ts'

export const lanPorts = ({ identity }: Pick<Site, 'identity'>): readonly string[] =>
  identity.model.hardwareType === 'router' ? ['lan1', 'lan2', 'lan3', 'lan4'] : ['lan1']

/** Until 21.02 an interface had its bridge and its ports itself. */
function lan(site: Site) {
  const address = { proto: 'static', ipaddr: `${lanNet(site)}.1`, netmask: '255.255.255.0' }
  if (!abilitiesOf(site.identity.model).includes('fw4'))
    return [section('interface', 'lan', { type: 'bridge', ifname: 'eth1', ...address })]
  return [
    section('device', null, { name: 'br-lan', type: 'bridge', ports: lanPorts(site) }),
    section('interface', 'lan', { device: 'br-lan', ...address, ip6assign: 60 }),
  ]
}

/** The local ports and the uplink are of one chip, whose ports have numbers; the processor is at port 6. */
function switchChip(site: Site) {
  if (!abilitiesOf(site.identity.model).includes('swconfig')) return []
  const vlan = (n: number, ports: string) =>
    section('switch_vlan', null, { device: 'switch0', vlan: n, ports })
  return [
    section('switch', null, { name: 'switch0', reset: 1, enable_vlan: 1 }),
    vlan(1, '1 2 6t'),
    vlan(2, '0 3 6t'),
  ]
}

function sims(site: Site) {
  const abilities = abilitiesOf(site.identity.model)
  if (!abilities.includes('mobile')) return []
  const modem = abilities.includes('modemmanager')
    ? { proto: 'modemmanager', device: '/sys/devices/platform/soc/11200000.usb/usb2/2-1' }
    : { proto: 'qmi', device: '/dev/cdc-wdm0' }
  const apn = site.configured ? 'iot.private' : 'internet'
  const slot = (n: number) =>
    section('interface', `wan${n}`, {
      ...modem,
      apn,
      [modem.proto === 'qmi' ? 'pdptype' : 'iptype']: modem.proto === 'qmi' ? 'ip' : 'ipv4',
      metric: 10 + n * 10,
    })
  return [slot(1), ...(abilities.includes('dualSim') ? [slot(2)] : [])]
}

export function network(site: Site): UciPackage {
  const modern = abilitiesOf(site.identity.model).includes('fw4')
  return pkg(
    'network',
    section('interface', 'loopback', {
      [modern ? 'device' : 'ifname']: 'lo',
      proto: 'static',
      ipaddr: '127.0.0.1',
      netmask: '255.0.0.0',
    }),
    section('globals', 'globals', {
      ula_prefix: `fd${site.identity.mac.slice(3, 5).toLowerCase()}:${site.identity.mac.slice(6, 11).replace(':', '').toLowerCase()}::/48`,
    }),
    ...lan(site),
    section('interface', 'wan', { [modern ? 'device' : 'ifname']: 'eth0', proto: 'dhcp', metric: 10 }),
    ...sims(site),
    ...switchChip(site),
  )
}

export function dhcp(site: Site): UciPackage {
  const [start, limit] = site.configured ? [20, 201] : [100, 150]
  return pkg(
    'dhcp',
    section('dnsmasq', null, {
      domainneeded: 1,
      localise_queries: 1,
      rebind_protection: 1,
      local: '/lan/',
      domain: 'lan',
      expandhosts: 1,
      readethers: 1,
      leasefile: '/tmp/dhcp.leases',
    }),
    section('dhcp', 'lan', { interface: 'lan', start, limit, leasetime: '12h', dhcpv4: 'server' }),
    section('dhcp', 'wan', { interface: 'wan', ignore: 1 }),
  )
}

export function firewall(site: Site): UciPackage {
  const wan = ['wan', ...sims(site).map(({ name }) => name ?? '')]
  return pkg(
    'firewall',
    section('defaults', null, { syn_flood: 1, input: 'REJECT', output: 'ACCEPT', forward: 'REJECT' }),
    section('zone', null, {
      name: 'lan',
      network: ['lan'],
      input: 'ACCEPT',
      output: 'ACCEPT',
      forward: 'ACCEPT',
    }),
    section('zone', null, {
      name: 'wan',
      network: wan,
      input: 'REJECT',
      output: 'ACCEPT',
      forward: 'REJECT',
      masq: 1,
      mtu_fix: 1,
    }),
    section('forwarding', null, { src: 'lan', dest: 'wan' }),
    section('rule', null, {
      name: 'Allow-DHCP-Renew',
      src: 'wan',
      proto: 'udp',
      dest_port: 68,
      target: 'ACCEPT',
      family: 'ipv4',
    }),
    section('rule', null, {
      name: 'Allow-Ping',
      src: 'wan',
      proto: 'icmp',
      icmp_type: 'echo-request',
      family: 'ipv4',
      target: 'ACCEPT',
    }),
    site.configured
      ? section('redirect', null, {
          name: 'pos',
          target: 'DNAT',
          src: 'wan',
          src_dport: 8001,
          dest: 'lan',
          dest_ip: `${lanNet(site)}.20`,
          dest_port: 80,
          proto: 'tcp',
        })
      : null,
  )
}

const radios = [
  { band: '2g', htmode: 'HT20', channel: '6', suffix: '' },
  { band: '5g', htmode: 'VHT80', channel: '36', suffix: '-5G' },
] as const

export function wireless(site: Site): UciPackage {
  const { identity, configured } = site
  return pkg(
    'wireless',
    ...radios.flatMap(({ band, htmode, channel, suffix }, i) => [
      section('wifi-device', `radio${i}`, {
        type: 'mac80211',
        path: `platform/18000000.wifi${i ? '+1' : ''}`,
        band,
        channel: configured ? channel : 'auto',
        htmode,
        country: 'CN',
      }),
      section('wifi-iface', `default_radio${i}`, {
        device: `radio${i}`,
        network: 'lan',
        mode: 'ap',
        ssid: configured ? `Shop-${identity.sn.slice(-4)}${suffix}` : identity.model.name,
        ...(configured ? { encryption: 'psk2', key: wifiKey(site) } : { encryption: 'none' }),
      }),
    ]),
  )
}
