/** The configuration of a simulated device as files, as `sysupgrade -b` would pack them. */
import { createHash } from 'node:crypto'
import { share } from './random.ts'
import type { Restored } from './settings.ts'
import { packTarGz, type TextFile } from './tar-gz.ts'
import type { Part } from './world.ts'

const option = (name: string, value: string | number) => `\toption ${name} '${value}'`
const section = (type: string, name: string | null, ...options: string[]) =>
  [`config ${type}${name ? ` '${name}'` : ''}`, ...options, ''].join('\n')

/** Deterministic: the same settings produce the same files. */
export function configFiles({ identity, settings, world }: Part): TextFile[] {
  const { model, sn, city } = identity
  const changes = settings.get('config')
  const network = settings.get('network')
  const own = changes > 0
  const octet = own ? 10 + Math.floor(share(world.seed, sn, 'lan') * 200) : 1
  const files = [
    {
      path: 'etc/config/system',
      text: [
        section(
          'system',
          null,
          option('hostname', own ? `${city.name.replace(/\W/g, '')}-${sn.slice(-4)}` : model.name),
          option('timezone', own ? 'CST-8' : 'UTC'),
          option('log_size', own ? 64 + changes : 64),
        ),
        section('timeserver', 'ntp', "\tlist server 'ntp.aliyun.com'", "\tlist server 'pool.ntp.org'"),
      ].join('\n'),
    },
    {
      path: 'etc/config/network',
      text: [
        section(
          'interface',
          'lan',
          option('device', 'br-lan'),
          option('proto', 'static'),
          option('ipaddr', `192.168.${octet}.1`),
          option('netmask', '255.255.255.0'),
        ),
        section('interface', 'wan', option('device', 'eth0'), option('proto', 'dhcp')),
        ...(model.radio
          ? [
              section(
                'interface',
                'wwan',
                option('proto', 'qmi'),
                option('apn', network > 0 ? 'iot.private' : ''),
                option('metric', 20),
              ),
            ]
          : []),
      ].join('\n'),
    },
    {
      path: 'etc/config/firewall',
      text: [
        section(
          'defaults',
          null,
          option('input', 'REJECT'),
          option('output', 'ACCEPT'),
          option('forward', 'REJECT'),
        ),
        ...(own
          ? [
              section(
                'redirect',
                null,
                option('name', 'pos'),
                option('src', 'wan'),
                option('src_dport', 8000 + changes),
                option('dest_ip', `192.168.${octet}.20`),
                option('dest_port', 80),
              ),
            ]
          : []),
      ].join('\n'),
    },
    ...(model.hardwareType === 'router'
      ? [
          {
            path: 'etc/config/wireless',
            text: [
              section('wifi-device', 'radio0', option('channel', own ? 6 : 'auto'), option('band', '2g')),
              section(
                'wifi-iface',
                null,
                option('device', 'radio0'),
                option('ssid', own ? `Shop-${sn.slice(-4)}` : model.name),
                option('encryption', own ? 'psk2' : 'none'),
              ),
            ].join('\n'),
          },
        ]
      : []),
    ...(model.hardwareType === 'serialServer'
      ? [
          {
            path: 'etc/config/serial',
            text: section(
              'port',
              'ttyS1',
              option('baud', own ? 9600 : 115200),
              option('mode', 'tcpserver'),
              option('listen', 4001),
            ),
          },
        ]
      : []),
  ]
  return restoredOver(files, settings.get('restored'))
}

/** The device's own files, with the restored ones in their place. */
function restoredOver(own: readonly TextFile[], restored: Restored | null): TextFile[] {
  const files = new Map(own.map((file) => [file.path, file]))
  for (const [path, content] of Object.entries(restored?.files ?? {})) {
    const bytes = Buffer.from(content, 'base64')
    const said = bytes.toString()
    files.set(path, { path, text: Buffer.from(said).equals(bytes) ? said : bytes })
  }
  return [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The hash reported in `hello`: changes when a file does. */
export const configHash = (part: Part): string =>
  createHash('sha256')
    .update(JSON.stringify(configFiles(part)))
    .digest('hex')
    .slice(0, 16)

/** The files as .tar.gz, dated `atMs`. */
export const packConfig = (part: Part, atMs: number): Buffer => packTarGz(configFiles(part), atMs)
