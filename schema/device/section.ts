/** The state of a device's parts [§2 Device list and detail]: the last report of each section, with its age. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { uplink } from '../kit/message.ts'
import { rowId } from '../kit/row-id.ts'
import { shaped } from '../kit/shape.ts'
import { deviceTime, instant } from '../kit/time.ts'
import { deviceDetailPermission } from './device-pages.ts'
import { deviceText, macAddress } from './hello.ts'
import { ioSection } from './section-io.ts'
import { mobileSection, stationSection } from './section-radio.ts'

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const address = deviceText(64)

export const wanSection = z.object({
  name: deviceText(32).min(1).describe('e.g. eth0, wan'),
  up: z.boolean(),
  protocol: z.enum(['dhcp', 'static', 'pppoe', 'none']).optional(),
  ip: address.optional(),
  netmask: address.optional(),
  gateway: address.optional(),
  dns: z.array(address).max(4).optional(),
  mac: macAddress.optional(),
  speedMbps: z.int().min(0).max(400_000).optional().describe('of the link'),
  upS: count.optional().describe('seconds since it came up'),
  rxBytes: count.optional(),
  txBytes: count.optional(),
})

export const lanSection = z.object({
  ip: address.optional(),
  netmask: address.optional(),
  mac: macAddress.optional(),
  dhcp: z.boolean().optional().describe('serves addresses'),
  dhcpFrom: address.optional(),
  dhcpTo: address.optional(),
  leaseS: z.int().min(0).max(31_536_000).optional(),
  ports: z
    .array(
      z.object({
        name: deviceText(32).min(1),
        up: z.boolean(),
        speedMbps: z.int().min(0).max(400_000).optional(),
      }),
    )
    .max(32)
    .optional(),
})

export const wifiSection = z.object({
  ssid: deviceText(32),
  up: z.boolean(),
  band: z.enum(['2.4 GHz', '5 GHz', '6 GHz']).optional(),
  channel: z.int().min(1).max(233).optional(),
  security: deviceText(32).optional().describe('e.g. WPA2-PSK; never the key'),
  mac: macAddress.optional(),
  clients: z.int().min(0).max(1024).optional(),
})

/** Its remote services: the web page, the shell, the tunnel to the supernode. */
export const remoteSection = z.object({
  name: z.enum(['web', 'ssh', 'telnet', 'n2n', 'other']),
  enabled: z.boolean(),
  connected: z.boolean().optional().describe('for tunnels'),
  port: z.int().min(1).max(65_535).optional(),
  address: address.optional().describe('in the tunnel, or of the server'),
})

export const serviceStates = ['running', 'stopped', 'failed'] as const
/** A service name is passed to an init script: no path, no option, no shell syntax. */
export const serviceName = z.string().regex(shaped(/^[a-z0-9][a-z0-9_.-]{0,31}$/, 'serviceName'))

export const serviceSection = z.object({
  name: serviceName,
  state: z.enum(serviceStates),
  autostart: z.boolean().optional(),
  startedAt: deviceTime.optional(),
  controllable: z.boolean().optional().describe('false: cannot be stopped from the platform; default true'),
})

export const hostSection = z.object({
  mac: macAddress,
  ip: address.optional(),
  name: deviceText(64).optional(),
  via: z.enum(['lan', 'wifi', 'serial', 'usb']).optional(),
  since: deviceTime.optional(),
  signalDbm: z.number().min(-150).max(0).optional(),
  rxBytes: count.optional(),
  txBytes: count.optional(),
})

/** The sections by name; each is reported completely. */
export const sectionShapes = {
  wan: z.array(wanSection).max(4),
  mobile: z.array(mobileSection).max(2),
  station: stationSection,
  lan: lanSection,
  wifi: z.array(wifiSection).max(8),
  remote: z.array(remoteSection).max(16),
  services: z.array(serviceSection).max(64),
  hosts: z.array(hostSection).max(256),
  io: z.array(ioSection).max(64),
  schedule: z.object({
    revision: z.int().min(0).max(2_147_483_647).describe('of the last `setSchedule` that it stored; 0: none'),
  }),
} as const
export type SectionName = keyof typeof sectionShapes
export const sectionNames = Object.keys(sectionShapes) as SectionName[]

export const facts = uplink({
  name: 'facts',
  class: 'report',
  maxBytes: 65_536,
  summary:
    'The state of its parts, by section. A section in the message replaces its earlier report, one that is absent is unchanged. All after each hello; then each that changed, at most every 10 s.',
  payload: z.object({
    at: deviceTime,
    wan: sectionShapes.wan.optional().describe('wired WAN interfaces'),
    mobile: sectionShapes.mobile.optional().describe('SIM slots 1 and 2, whether in use or not'),
    station: sectionShapes.station.optional().describe('the cell that it is attached to'),
    lan: sectionShapes.lan.optional(),
    wifi: sectionShapes.wifi.optional().describe('the networks that it offers'),
    remote: sectionShapes.remote.optional().describe('ways in from outside'),
    services: sectionShapes.services.optional().describe('system services'),
    hosts: sectionShapes.hosts.optional().describe('hosts connected on its LAN side now'),
    io: sectionShapes.io.optional().describe('its digital inputs and outputs, as read'),
    schedule: sectionShapes.schedule.optional().describe('the reboot schedule that it stored'),
  }),
  example: {
    at: 1795226430000,
    wan: [
      {
        name: 'eth0',
        up: true,
        protocol: 'dhcp',
        ip: '192.0.2.17',
        netmask: '255.255.255.0',
        gateway: '192.0.2.1',
        dns: ['192.0.2.1'],
        upS: 4211,
      },
    ],
    mobile: [
      { slot: 1, state: 'ready', active: true, operator: 'China Mobile', signalDbm: -71, apn: 'cmnet' },
    ],
    services: [{ name: 'dnsmasq', state: 'running', autostart: true, startedAt: 1795140000000 }],
    hosts: [{ mac: '02:00:5E:10:00:77', ip: '192.168.1.113', name: 'pos-2', via: 'lan' }],
  },
})
export type Facts = z.output<typeof facts.payload>

const reported = <S extends z.ZodType>(value: S) => z.object({ at: instant, value }).nullable()

export const getDeviceSections = call({
  path: '/api/device/getDeviceSections',
  permission: deviceDetailPermission,
  summary:
    'The last report of one device for each of its sections, and when it arrived; null: never reported.',
  body: z.object({ deviceId: rowId }),
  reply: z.object({
    wan: reported(sectionShapes.wan),
    mobile: reported(sectionShapes.mobile),
    station: reported(sectionShapes.station),
    lan: reported(sectionShapes.lan),
    wifi: reported(sectionShapes.wifi),
    remote: reported(sectionShapes.remote),
    services: reported(sectionShapes.services),
    hosts: reported(sectionShapes.hosts),
    io: reported(sectionShapes.io),
    schedule: reported(sectionShapes.schedule),
  }),
})
