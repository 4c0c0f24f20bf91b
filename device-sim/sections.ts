/** Reports the device's parts: all sections after hello, then the changed ones. */
import type { z } from 'zod'
import { facts, type SectionName } from '#schema/device/section'
import type { status } from '#schema/device/status'
import { type Base, fault } from './base.ts'
import { hostsOf } from './hosts.ts'
import type { Radio } from './radio.ts'
import { share } from './random.ts'
import type { Services } from './services.ts'

type Told = Omit<z.input<typeof facts.payload>, 'at'>
type Sample = z.input<typeof status.payload>

/** Counters change all the time; they do not count as a change. */
const moving = new Set(['upS', 'rxBytes', 'txBytes', 'signalDbm', 'rsrpDbm', 'rsrqDb', 'sinrDb'])
const shape = (value: unknown) =>
  JSON.stringify(value, (key, inner: unknown) => (moving.has(key) ? undefined : inner))
/** All sections, including counters, once every this many status messages. */
const WHOLE_EVERY = 20

type Owner = Base & { readonly radio: Radio; readonly services: Services }

export class Sections {
  readonly #part: Owner
  #told = new Map<string, string>()
  #sample: Sample | null = null
  #since = 0

  constructor(part: Owner) {
    this.#part = part
  }

  connected(): void {
    this.#told.clear()
    this.tell()
  }

  sampled(sample: Sample): void {
    this.#sample = sample
    this.#since = (this.#since + 1) % WHOLE_EVERY
    if (this.#since === 0) this.#told.clear()
    this.tell()
  }

  /** Reports only sections that have changed since the last report. */
  tell(): void {
    if (!this.#part.online) return
    const news: Told = {}
    for (const [name, value] of Object.entries(this.#read()) as [SectionName, never][]) {
      const said = shape(value)
      if (value === undefined || this.#told.get(name) === said) continue
      this.#told.set(name, said)
      news[name] = value
    }
    if (Object.keys(news).length > 0)
      this.#part.report(facts, { at: this.#part.now(), ...news }).catch(fault(this.#part))
  }

  #read(): Told {
    const { identity, radio, services, settings, world } = this.#part
    const { model, sn, mac } = identity
    const sample = this.#sample
    const octet = settings.get('config') > 0 ? 10 + Math.floor(share(world.seed, sn, 'lan') * 200) : 1
    const number = Number(sn.slice(-6)) || 1
    const hosts = hostsOf(this.#part, this.#part.now())
    const wired = !model.radio
    const station = radio.station()
    const uplinks: Told = {
      wan: [
        wired
          ? {
              name: 'eth0',
              up: true,
              protocol: 'dhcp',
              ip: sample?.ip ?? `10.64.${(number >> 8) & 255}.${number & 255}`,
              netmask: '255.255.0.0',
              gateway: '10.64.0.1',
              dns: ['10.64.0.1', '223.5.5.5'],
              mac,
              speedMbps: 100,
              ...(sample && { upS: sample.uptimeS, rxBytes: sample.rxBytes, txBytes: sample.txBytes }),
            }
          : { name: 'eth0', up: false, protocol: 'dhcp', mac },
      ],
      ...(model.radio && {
        mobile: radio.mobile(sample?.signalDbm, sample?.ip ?? '10.64.0.2'),
        ...(station && { station }),
      }),
    }
    return {
      // Before the first measurement these values are unknown.
      ...(sample && uplinks),
      lan: {
        ip: `192.168.${octet}.1`,
        netmask: '255.255.255.0',
        mac,
        dhcp: true,
        dhcpFrom: `192.168.${octet}.20`,
        dhcpTo: `192.168.${octet}.220`,
        leaseS: 43_200,
        ports: Array.from({ length: model.hardwareType === 'router' ? 4 : 1 }, (_, i) => {
          const up = i === 0 || share(world.seed, sn, 'port', i) > 0.5
          return {
            name: `lan${i + 1}`,
            up,
            ...(up && { speedMbps: share(world.seed, sn, 'speed', i) > 0.3 ? 1000 : 100 }),
          }
        }),
      },
      ...(model.hardwareType === 'router' && {
        wifi: (['2.4 GHz', '5 GHz'] as const).map((band, i) => ({
          ssid: settings.get('config') > 0 ? `Shop-${sn.slice(-4)}${i ? '-5G' : ''}` : model.name,
          up: !settings.get('stopped').includes('hostapd'),
          band,
          channel: i ? 36 : 6,
          security: settings.get('config') > 0 ? 'WPA2-PSK' : 'open',
          mac: mac.replace(/..$/, (last) =>
            ((Number.parseInt(last, 16) + 1 + i) % 256).toString(16).padStart(2, '0').toUpperCase(),
          ),
          clients: hosts.filter(({ via }, at) => via === 'wifi' && at % 2 === i).length,
        })),
      }),
      remote: [
        { name: 'web', enabled: true, port: 80 },
        { name: 'ssh', enabled: !settings.get('stopped').includes('dropbear'), port: 22 },
        { name: 'telnet', enabled: false, port: 23 },
        { name: 'n2n', enabled: false, connected: false },
      ],
      services: services.list(),
      hosts,
      schedule: { revision: settings.get('schedule').revision },
    }
  }
}
