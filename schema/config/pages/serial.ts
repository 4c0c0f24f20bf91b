/**
 * The serial ports of a device with our agent: what is connected to each of them. Its package `serial` has a section
 * `port` for each.
 */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { choice, flag, number, text } from '../bind.ts'
import { rowWhere as at, inRow } from '../bind-rows.ts'
import { configPage } from '../config-page.ts'
import { lineOrNone, port, rowKey, ruledOrNone, secretText } from '../page-fields.ts'
import { baudRates, dataBits, serialDevice, serialFaults, stopBits } from '../parts/serial-line.ts'

const standards = ['rs232', 'rs485', 'rs422'] as const
const parities = ['none', 'even', 'odd', 'mark', 'space'] as const
const flows = ['none', 'rtscts', 'xonxoff'] as const
const modes = ['off', 'tcp_server', 'tcp_client', 'udp', 'modbus', 'mqtt'] as const
const qualities = ['0', '1', '2'] as const

const LISTENS = { mode: ['tcp_server', 'udp', 'modbus'] }
const CALLS = { mode: ['tcp_client', 'udp', 'mqtt'] }
/** Modes that pass bytes on; Modbus has frames of its own. */
const PASSES = { mode: ['tcp_server', 'tcp_client', 'udp', 'mqtt'] }
const MQTT = { mode: ['mqtt'] }

const row = z.object({
  ...rowKey,
  name: lineOrNone(32),
  device: serialDevice,
  standard: z.enum(standards).default('rs232'),
  baudrate: z.enum(baudRates).default('9600'),
  databits: z.enum(dataBits).default('8'),
  parity: z.enum(parities).default('none'),
  stopbits: z.enum(stopBits).default('1'),
  flow: z.enum(flows).default('none'),
  mode: z.enum(modes).default('off'),
  localPort: field(port.nullable().default(null), { when: LISTENS, needed: true }),
  maxClients: field(z.int().min(1).max(32).default(4), { when: { mode: ['tcp_server', 'modbus'] } }),
  host: field(ruledOrNone('host', 253), { when: CALLS, needed: true }),
  remotePort: field(port.nullable().default(null), { when: CALLS, needed: true }),
  username: field(lineOrNone(128), { when: MQTT }),
  password: field(secretText(lineOrNone(128)), { when: MQTT }),
  clientId: field(lineOrNone(64), { when: MQTT }),
  publishTopic: field(lineOrNone(128), { when: MQTT, needed: true }),
  subscribeTopic: field(lineOrNone(128), { when: MQTT }),
  qos: field(z.enum(qualities).default('1'), { when: MQTT }),
  tls: field(z.boolean().default(false), { when: MQTT }),
  retries: field(z.int().min(0).max(5).default(3), { when: { mode: ['tcp_client', 'modbus', 'mqtt'] } }),
  timeoutMs: field(z.int().min(50).max(60_000).default(1000), { when: { mode: ['modbus'] } }),
  // The rule limits bytes; the message of a shorter bound would count characters.
  prefix: field(ruledOrNone('hexPrefix', 200), { input: 'hex', when: PASSES }),
  deviceId: field(ruledOrNone('hexDeviceId', 200), { input: 'hex', when: PASSES }),
  heartbeat: field(ruledOrNone('hexHeartbeat', 200), { input: 'hex', when: PASSES }),
  heartbeatS: field(z.int().min(1).max(86_400).default(60), { when: PASSES }),
})

const body = z.object({ ports: z.array(row).max(16).default([]) })

const bounds = () => ({
  ports: {
    package: 'serial',
    type: 'port',
    fields: {
      name: inRow(text(at, 'name')),
      device: inRow(text(at, 'device')),
      standard: inRow(choice(at, 'standard', standards, 'rs232')),
      baudrate: inRow(choice(at, 'baudrate', baudRates, '9600')),
      databits: inRow(choice(at, 'databits', dataBits, '8')),
      parity: inRow(choice(at, 'parity', parities, 'none')),
      stopbits: inRow(choice(at, 'stopbits', stopBits, '1')),
      flow: inRow(choice(at, 'flow', flows, 'none')),
      mode: inRow(choice(at, 'mode', modes, 'off')),
      localPort: inRow(number(at, 'listen_port')),
      maxClients: inRow(number(at, 'max_clients', 4)),
      host: inRow(text(at, 'host')),
      remotePort: inRow(number(at, 'host_port')),
      username: inRow(text(at, 'username')),
      password: inRow(text(at, 'password')),
      clientId: inRow(text(at, 'client_id')),
      publishTopic: inRow(text(at, 'publish')),
      subscribeTopic: inRow(text(at, 'subscribe')),
      qos: inRow(choice(at, 'qos', qualities, '1')),
      tls: inRow(flag(at, 'tls')),
      retries: inRow(number(at, 'retries', 3)),
      timeoutMs: inRow(number(at, 'timeout_ms', 1000)),
      prefix: inRow(text(at, 'prefix')),
      deviceId: inRow(text(at, 'device_id')),
      heartbeat: inRow(text(at, 'heartbeat')),
      heartbeatS: inRow(number(at, 'heartbeat_s', 60)),
    },
  },
})

export const serial = configPage({
  name: 'serial',
  group: 'serial',
  place: 310,
  icon: 'plug-connected',
  packages: ['serial'],
  carriedBy: 'agent',
  needs: ['serial', 'serialAgent'],
  trial: 'none',
  body,
  bounds,
  check: ({ ports }, doc) =>
    serialFaults(
      doc,
      'serial',
      'ports',
      'localPort',
      ports.map(({ device, mode, localPort }) => ({
        device,
        port: LISTENS.mode.includes(mode) ? localPort : null,
        runs: mode !== 'off',
      })),
    ),
})
