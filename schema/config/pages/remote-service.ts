/** Ways into the device: its web page, SSH and Telnet, on which ports, and from where. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { finished, flag, number, text } from '../bind.ts'
import { configPage, type DeviceTraits, type PageFault } from '../config-page.ts'
import { port, ruled, word } from '../page-fields.ts'
import { listenPort } from '../parts/listen-port.ts'
import { networksOf, type Opened, opensFor, withOpened } from '../parts/remote-rule.ts'
import type { UciDoc } from '../uci.ts'

const uhttpd = { package: 'uhttpd', type: 'uhttpd', name: 'main' } as const
/** Its sections are anonymous; the first is the one that every device has. */
const dropbear = { package: 'dropbear', type: 'dropbear' } as const
const telnetd = { package: 'telnet', type: 'telnet', name: 'telnet' } as const
const SSH = { ssh: [true] }
const TELNET = { telnet: [true] }

const body = z.object({
  httpPort: port.nullable().default(80),
  httpsPort: port.nullable().default(null),
  redirect: z.boolean().default(false),
  privateOnly: z.boolean().default(false),
  ssh: z.boolean().default(true),
  sshPort: field(port.default(22), { when: SSH }),
  sshInterface: field(word(32).default(''), { when: SSH, refersTo: 'laterInterface' }),
  telnet: z.boolean().default(false),
  telnetPort: field(port.default(23), { when: TELNET }),
  remoteWeb: z.boolean().default(false),
  remoteSsh: z.boolean().default(false),
  networks: z.array(ruled('ipv4Network', 18)).max(16).default([]),
})
type Values = z.output<typeof body>

const bounds = (doc: UciDoc) => ({
  httpPort: listenPort(doc, uhttpd, 'listen_http'),
  httpsPort: listenPort(doc, uhttpd, 'listen_https'),
  redirect: flag(uhttpd, 'redirect_https'),
  privateOnly: flag(uhttpd, 'rfc1918_filter'),
  ssh: flag(dropbear, 'enable', true),
  sshPort: number(dropbear, 'Port', 22),
  sshInterface: text(dropbear, 'Interface'),
  telnet: flag(telnetd, 'enabled'),
  telnetPort: number(telnetd, 'port', 23),
  remoteWeb: finished({ package: 'firewall', type: 'rule' }, 'enabled', opensFor(doc, 'web')),
  remoteSsh: finished({ package: 'firewall', type: 'rule' }, 'enabled', opensFor(doc, 'ssh')),
  networks: finished({ package: 'firewall', type: 'rule' }, 'src_ip', networksOf(doc)),
})

const openedBy = ({ remoteWeb, remoteSsh, networks, httpPort, httpsPort, sshPort }: Values): Opened => ({
  networks,
  web: remoteWeb ? [httpPort, httpsPort].filter((one) => one !== null) : [],
  ssh: remoteSsh ? [sshPort] : [],
})

function faultsOf(values: Values, doc: UciDoc, { abilities }: DeviceTraits): PageFault[] {
  const { httpPort, httpsPort, redirect, ssh, sshPort, telnet, telnetPort, remoteWeb, remoteSsh } = values
  const used = [
    ['httpPort', httpPort],
    ['httpsPort', httpsPort],
    ['sshPort', ssh ? sshPort : null],
    ['telnetPort', telnet ? telnetPort : null],
  ] as const
  const taken = used.filter(
    ([, one], i) => one !== null && used.slice(0, i).some(([, before]) => before === one),
  )
  return [
    ...taken.map(
      ([path, one]) =>
        ({ path, text: 'remote-service:fault.portTaken', params: { port: one ?? 0 } }) as const,
    ),
    ...(redirect && httpsPort === null
      ? [{ path: 'redirect', text: 'remote-service:fault.noHttps' } as const]
      : []),
    ...(telnet && !abilities.has('telnet')
      ? [{ path: 'telnet', text: 'remote-service:fault.noTelnet' } as const]
      : []),
    ...(remoteWeb && httpPort === null && httpsPort === null
      ? [{ path: 'remoteWeb', text: 'remote-service:fault.webOff' } as const]
      : []),
    ...(remoteSsh && !ssh ? [{ path: 'remoteSsh', text: 'remote-service:fault.sshOff' } as const] : []),
    // Open to the internet, it is found and attacked within hours.
    ...((remoteWeb || remoteSsh) && values.networks.length === 0
      ? [{ path: 'networks', text: 'remote-service:fault.noNetworks' } as const]
      : []),
    // They belong to what is opened to them; when this is closed, they go with it.
    ...(!remoteWeb && !remoteSsh && values.networks.length > 0 && networksOf(doc).length === 0
      ? [{ path: 'networks', text: 'remote-service:fault.nothingOpened' } as const]
      : []),
  ]
}

export const remoteService = configPage({
  name: 'remote-service',
  group: 'security',
  place: 240,
  icon: 'door-enter',
  packages: ['uhttpd', 'dropbear', 'telnet', 'firewall'],
  carriedBy: 'stock',
  needs: [],
  trial: 'wired',
  body,
  bounds,
  finish: (after, values, _, before) => withOpened(after, openedBy(values), before),
  check: faultsOf,
})
