/**
 * The configuration of a device that was never changed: computed from its serial number, so that a fleet
 * that was never touched stores nothing.
 */
import type { Ability } from '#schema/config/ability'
import type { UciPackage } from '#schema/config/uci'
import { abilitiesOf } from './abilities.ts'
import { dhcp, firewall, network, wireless } from './factory-network.ts'
import { pkg, section } from './make.ts'
import type { Site } from './site.ts'

/** POSIX names of the zones of the simulated cities: old C libraries do not know the others. */
const posix: Readonly<Record<string, string>> = {
  'Asia/Shanghai': 'CST-8',
  'Asia/Urumqi': '<+06>-6',
  'Asia/Singapore': '<+08>-8',
  'Asia/Tokyo': 'JST-9',
  'Europe/Berlin': 'CET-1CEST,M3.5.0,M10.5.0/3',
  'Europe/Madrid': 'CET-1CEST,M3.5.0,M10.5.0/3',
  'America/Chicago': 'CST6CDT,M3.2.0,M11.1.0',
  'America/Sao_Paulo': '<-03>3',
}

const system = ({ identity: { model, city, sn }, configured }: Site): UciPackage =>
  pkg(
    'system',
    section('system', null, {
      hostname: configured ? `${city.name.replace(/\W/g, '')}-${sn.slice(-4)}` : model.name,
      ...(configured
        ? { timezone: posix[city.timeZone] ?? 'UTC', zonename: city.timeZone }
        : { timezone: 'UTC', zonename: 'UTC' }),
      log_size: 64,
    }),
    section('timeserver', 'ntp', {
      enabled: 1,
      enable_server: 0,
      server: ['ntp.aliyun.com', 'pool.ntp.org'],
    }),
    ...(abilitiesOf(model).includes('gpio')
      ? [1, 2].map((n) =>
          section('gpio_switch', `relay${n}`, { name: `Relay ${n}`, gpio_pin: `relay${n}`, value: 0 }),
        )
      : []),
  )

const dropbear = (): UciPackage =>
  pkg('dropbear', section('dropbear', null, { PasswordAuth: 'on', RootPasswordAuth: 'on', Port: 22 }))

const uhttpd = (): UciPackage =>
  pkg('uhttpd', section('uhttpd', 'main', { listen_http: ['0.0.0.0:80'], home: '/www', redirect_https: 0 }))

const openvpn = (): UciPackage =>
  pkg(
    'openvpn',
    section('openvpn', 'headquarters', {
      enabled: 0,
      client: 1,
      dev: 'tun0',
      proto: 'udp',
      remote: ['vpn.example.com 1194'],
      ca: '/etc/openvpn/ca.crt',
      cert: '/etc/openvpn/client.crt',
      key: '/etc/openvpn/client.key',
      nobind: 1,
      verb: 3,
    }),
  )

const n2n = ({ identity }: Site): UciPackage =>
  pkg(
    'n2n',
    section('edge', null, {
      enabled: 0,
      tunname: 'n2n0',
      mode: 'dhcp',
      supernode: 'n2n.example.com',
      port: 9001,
      community: `site-${identity.sn.slice(-4)}`,
      mtu: 1290,
    }),
  )

const watchcat = (): UciPackage =>
  pkg(
    'watchcat',
    section('watchcat', null, {
      period: '6h',
      mode: 'ping_reboot',
      pinghosts: '223.5.5.5',
      pingperiod: '30',
      forcedelay: '30',
    }),
  )

const mwan3 = (): UciPackage =>
  pkg(
    'mwan3',
    section('globals', 'globals', { mmx_mask: '0x3F00' }),
    ...['wan', 'wan1', 'wan2'].map((name) =>
      section('interface', name, {
        enabled: 1,
        family: 'ipv4',
        track_ip: ['223.5.5.5', '119.29.29.29'],
        count: 1,
        timeout: 4,
        interval: 10,
        down: 5,
        up: 5,
      }),
    ),
    ...['wan', 'wan1', 'wan2'].map((name, i) =>
      section('member', `${name}_m${i + 1}`, { interface: name, metric: i + 1, weight: 1 }),
    ),
    section('policy', 'wan_first', { use_member: ['wan_m1', 'wan1_m2', 'wan2_m3'] }),
    section('rule', 'default_rule', { dest_ip: '0.0.0.0/0', proto: 'all', use_policy: 'wan_first' }),
  )

const simswitch = (): UciPackage =>
  pkg(
    'simswitch',
    section('policy', 'policy', {
      enabled: 1,
      rssi_min: 5,
      latency_max_ms: 1000,
      retries: 3,
      target: '223.5.5.5',
      interval_s: 60,
      back: 1,
      back_after_minutes: 30,
    }),
  )

const serial = ({ configured }: Site): UciPackage =>
  pkg(
    'serial',
    ...['/dev/ttyS1', '/dev/ttyS2'].map((device, i) =>
      section('port', `port${i + 1}`, {
        name: `COM${i + 1}`,
        device,
        standard: i ? 'rs232' : 'rs485',
        baudrate: configured ? 9600 : 115_200,
        databits: 8,
        parity: 'none',
        stopbits: 1,
        mode: i ? 'off' : 'tcp_server',
        listen_port: 4001 + i,
      }),
    ),
  )

const telnet = (): UciPackage => pkg('telnet', section('telnet', 'telnet', { enabled: 0, port: 23 }))
const rpcd = (): UciPackage =>
  pkg(
    'rpcd',
    section('rpcd', null, { socket: '/var/run/ubus/ubus.sock', timeout: 30 }),
    section('login', null, { username: 'root', password: '$p$root', read: ['*'], write: ['*'] }),
  )
const sms = (): UciPackage => pkg('sms', section('sms', 'control', { enabled: 0, per_hour: 10 }))
const sensors = (): UciPackage =>
  pkg(
    'sensors',
    section('sensor', null, {
      name: 'Cabinet',
      kind: 'temperature',
      bus: 'modbus',
      port: '/dev/ttyS2',
      slave: 1,
      register: 0,
      report_s: 60,
    }),
  )
const ser2net = ({ configured }: Site): UciPackage =>
  pkg(
    'ser2net',
    section('ser2net', 'global', { enabled: 1 }),
    section('proxy', null, {
      enabled: 1,
      port: 4001,
      protocol: 'raw',
      timeout: 0,
      device: '/dev/ttyS1',
      baudrate: configured ? 9600 : 115_200,
      databits: 8,
      parity: 'none',
      stopbits: 1,
    }),
  )
const mbusd = (): UciPackage => pkg('mbusd')
const sshkeys = (): UciPackage => pkg('sshkeys')

type Build = (site: Site) => UciPackage
const always: Readonly<Record<string, Build>> = {
  system,
  network,
  dhcp,
  firewall,
  dropbear,
  uhttpd,
  telnet,
  rpcd,
}
const byAbility: Readonly<Partial<Record<Ability, Readonly<Record<string, Build>>>>> = {
  wifi: { wireless },
  openvpn: { openvpn },
  n2n: { n2n },
  watchcat: { watchcat },
  mwan3: { mwan3 },
  simSwitch: { simswitch },
  serialAgent: { serial },
  ser2net: { ser2net },
  mbusd: { mbusd },
  sms: { sms },
  sensors: { sensors },
  sshKeys: { sshkeys },
}
const builds = new Map<string, Readonly<Record<string, Build>>>()

function buildsOf({ identity: { model } }: Pick<Site, 'identity'>): Readonly<Record<string, Build>> {
  const known = builds.get(model.name)
  if (known) return known
  const own = Object.assign({}, always, ...abilitiesOf(model).map((ability) => byAbility[ability] ?? {}))
  builds.set(model.name, own)
  return own
}

/** The packages that the platform may read and replace. */
export const managedPackages = (site: Pick<Site, 'identity'>): readonly string[] =>
  Object.keys(buildsOf(site))

/** undefined: the model has no such package. */
export const factoryPackage = (site: Site, name: string): UciPackage | undefined =>
  buildsOf(site)[name]?.(site)
