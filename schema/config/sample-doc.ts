/** A small configuration of a router for the tests of pages. */
import { deviceParts } from './sample-device.ts'
import type { UciDoc, UciSection } from './uci.ts'

type Options = Readonly<Record<string, string | readonly string[]>>

export const section = (type: string, name: string | null, options: Options): UciSection => ({
  type,
  name,
  options: Object.entries(options).map(([option, value]) => ({ name: option, value })),
})

export const sampleDoc: UciDoc = {
  ...deviceParts,
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
      section('interface', 'wan1', {
        proto: 'qmi',
        device: '/dev/cdc-wdm0',
        apn: 'iot.example',
        auth: 'chap',
        username: 'shop',
        password: 'not-a-real-one',
        modes: 'umts,lte',
        metric: '20',
      }),
    ],
  },
  dhcp: {
    name: 'dhcp',
    sections: [
      section('dnsmasq', null, { domain: 'lan', expandhosts: '1' }),
      section('dhcp', 'lan', {
        interface: 'lan',
        start: '50',
        limit: '100',
        leasetime: '6h',
        dhcp_option: ['42,192.168.8.1', '6,192.0.2.53,198.51.100.53', '119,lan'],
        ra: 'server',
      }),
      section('host', null, { mac: '02:00:5E:20:00:01', ip: '192.168.8.20', name: 'till', tag: 'kept' }),
      section('host', null, { name: 'alias', ip: '192.168.8.21' }),
      section('host', 'printer', { mac: '02:00:5E:20:00:02 02:00:5E:20:00:03', ip: '192.168.8.30' }),
    ],
  },
  firewall: {
    name: 'firewall',
    sections: [
      section('defaults', null, { input: 'REJECT', output: 'ACCEPT', forward: 'REJECT', syn_flood: '1' }),
      section('zone', null, { name: 'lan', network: ['lan'], input: 'ACCEPT', output: 'ACCEPT' }),
      section('zone', null, {
        name: 'wan',
        network: 'wan wan1',
        input: 'REJECT',
        output: 'accept',
        masq: '1',
        mtu_fix: '1',
      }),
      section('forwarding', null, { src: 'lan', dest: 'wan' }),
      section('rule', null, {
        name: 'Allow-Ping',
        src: 'wan',
        proto: 'icmp',
        icmp_type: ['echo-request'],
        family: 'ipv4',
        target: 'ACCEPT',
      }),
      section('rule', null, {
        name: 'Mark-Voice',
        src: 'lan',
        dest_port: '5060',
        target: 'MARK',
        set_mark: '1',
      }),
      section('rule', 'vpn', { src: 'wan', proto: 'udp', dest_port: '1194', target: 'ACCEPT' }),
      section('redirect', null, {
        name: 'Camera',
        src: 'wan',
        src_dport: '8000-8010',
        dest: 'lan',
        dest_ip: '192.168.8.20',
        proto: 'tcp',
        target: 'DNAT',
      }),
      section('redirect', null, {
        name: 'DNS',
        src: 'lan',
        src_dport: '53',
        dest_port: '53',
        target: 'DNAT',
      }),
      section('include', null, { path: '/etc/firewall.user' }),
    ],
  },
  wireless: {
    name: 'wireless',
    sections: [
      section('wifi-device', 'radio0', {
        type: 'mac80211',
        path: 'platform/wmac',
        band: '2g',
        channel: '6',
        htmode: 'HT20',
        country: 'DE',
      }),
      section('wifi-device', 'radio1', { type: 'mac80211', band: '5g', channel: 'auto', disabled: '1' }),
      section('wifi-iface', 'default_radio0', {
        device: 'radio0',
        network: 'lan',
        mode: 'ap',
        ssid: 'Shop',
        encryption: 'psk2+ccmp',
        key: 'not a real key ',
      }),
      section('wifi-iface', 'uplink', { device: 'radio1', network: 'wwan', mode: 'sta', ssid: 'Mall' }),
      section('wifi-iface', null, {
        device: 'radio1',
        ssid: 'Office',
        encryption: 'wpa2',
        server: '192.0.2.1',
      }),
    ],
  },
  openvpn: {
    name: 'openvpn',
    sections: [
      section('openvpn', 'sample_client', { enabled: '0', client: '1', remote: ['my_server_1 1194'] }),
      section('openvpn', 'head_office', {
        enabled: '1',
        client: '1',
        dev: 'tun3',
        proto: 'tcp-client',
        remote: 'vpn.example 1194',
        ca: '/etc/openvpn/ca.crt',
        cert: '/etc/openvpn/shop.crt',
        key: '/etc/openvpn/shop.key',
        tls_auth: '/etc/openvpn/ta.key 1',
        verb: '3',
      }),
    ],
  },
  n2n: {
    name: 'n2n',
    sections: [
      section('edge', 'remote', {
        enabled: '1',
        supernode: 'n2n.example',
        port: '9001',
        community: 'shops',
        key: 'not-a-real-one',
        mode: 'static',
        ipaddr: '10.64.8.17',
        prefix: '16',
      }),
      section('supernode', null, { enabled: '0' }),
    ],
  },
}

/** The same with the packages of the device side in place of those of the network side. */
export const deviceDoc: UciDoc = { ...sampleDoc, ...deviceParts }
