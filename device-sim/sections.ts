/** Reports the device's parts: all sections after hello, then the changed ones. */
import type { z } from 'zod'
import { facts, type SectionName } from '#schema/device/section'
import type { status } from '#schema/device/status'
import { type Base, fault } from './base.ts'
import { lanPorts } from './config/factory-network.ts'
import { accessPoints, lanOf, remoteOf } from './config/lan.ts'
import type { Outputs } from './config/outputs.ts'
import { wiredUplink } from './config/uplink.ts'
import { hostsOf } from './hosts.ts'
import type { Radio } from './radio.ts'
import { share } from './random.ts'
import type { Services } from './services.ts'

type Reported = Omit<z.input<typeof facts.payload>, 'at'>
type Sample = z.input<typeof status.payload>

/** Counters and levels change all the time; they do not count as a change. All are numbers. */
const moving = /"(?:upS|rxBytes|txBytes|signalDbm|rsrpDbm|rsrqDb|sinrDb)":[^,}]*/g
/** Compared with the one before; a replacer function would look at each key, which takes five times as long. */
const shape = (value: unknown): string | undefined => JSON.stringify(value)?.replace(moving, '')
/** All sections, including counters, once every this many status messages. */
const WHOLE_EVERY = 20

type Owner = Base & { readonly radio: Radio; readonly services: Services; readonly outputs: Outputs }

export class Sections {
  readonly #part: Owner
  #reported = new Map<string, string>()
  #sample: Sample | null = null
  #since = 0

  constructor(part: Owner) {
    this.#part = part
  }

  connected(): void {
    this.#reported.clear()
    this.tell()
  }

  sampled(sample: Sample): void {
    this.#sample = sample
    this.#since = (this.#since + 1) % WHOLE_EVERY
    if (this.#since === 0) this.#reported.clear()
    this.tell()
  }

  /** Reports only sections that have changed since the last report. */
  tell(): void {
    if (!this.#part.online) return
    const news: Reported = {}
    for (const [name, value] of Object.entries(this.#read()) as [SectionName, never][]) {
      const said = shape(value)
      if (said === undefined || this.#reported.get(name) === said) continue
      this.#reported.set(name, said)
      news[name] = value
    }
    if (Object.keys(news).length > 0)
      this.#part.report(facts, { at: this.#part.now(), ...news }).catch(fault(this.#part))
  }

  #read(): Reported {
    const { identity, radio, services, outputs, settings, config } = this.#part
    const io = outputs.list()
    const { doc } = config
    const sample = this.#sample
    const hosts = hostsOf(this.#part, this.#part.now())
    const station = radio.station()
    const stopped = settings.get('stopped')
    const { web, ssh, telnet, n2n } = remoteOf(doc)
    return {
      // Before the first measurement these values are unknown.
      ...(sample && {
        wan: [this.#wan(sample)],
        ...(identity.model.radio && { mobile: radio.mobile(sample.signalDbm), ...(station && { station }) }),
      }),
      lan: this.#lan(),
      ...(doc['wireless'] && { wifi: this.#wifi(hosts) }),
      remote: [
        { name: 'web', ...web },
        { name: 'ssh', ...ssh, enabled: ssh.enabled && !stopped.includes('dropbear') },
        { name: 'telnet', ...telnet },
        ...(doc['n2n'] ? [{ name: 'n2n' as const, ...n2n, connected: n2n.enabled }] : []),
      ],
      services: services.list(),
      hosts: [...hosts],
      ...(io.length > 0 && { io }),
      schedule: { revision: settings.get('schedule').revision },
    }
  }

  #wan(sample: Sample): NonNullable<Reported['wan']>[number] {
    const { identity, config } = this.#part
    const { mac, model } = identity
    const { protocol, ip, netmask, gateway, dns, problem } = wiredUplink(config.doc, identity)
    // No cable is plugged into a model with a radio.
    if (model.radio || problem !== null) return { name: 'eth0', up: false, protocol, mac }
    return {
      name: 'eth0',
      up: true,
      protocol,
      ...(ip && { ip }),
      ...(netmask && { netmask }),
      ...(gateway && { gateway }),
      ...(dns && { dns: [...dns] }),
      mac,
      speedMbps: 100,
      upS: sample.uptimeS,
      rxBytes: sample.rxBytes,
      txBytes: sample.txBytes,
    }
  }

  #lan(): NonNullable<Reported['lan']> {
    const { identity, config, world } = this.#part
    const { sn, mac } = identity
    const { ip, netmask, dhcp, from, to, leaseS } = lanOf(config.doc)
    return {
      ip,
      netmask,
      mac,
      dhcp,
      ...(dhcp && { dhcpFrom: from, dhcpTo: to, leaseS }),
      ports: lanPorts({ identity }).map((name, i) => {
        const up = i === 0 || share(world.seed, sn, 'port', i) > 0.5
        return {
          name,
          up,
          ...(up && { speedMbps: share(world.seed, sn, 'speed', i) > 0.3 ? 1000 : 100 }),
        }
      }),
    }
  }

  #wifi(hosts: ReturnType<typeof hostsOf>): NonNullable<Reported['wifi']> {
    const { identity, settings, config } = this.#part
    const running = !settings.get('stopped').includes('hostapd')
    const offered = accessPoints(config.doc).slice(0, 8)
    const up = offered.flatMap(({ on }, i) => (on && running ? [i] : []))
    const wireless = hosts.filter(({ via }) => via === 'wifi')
    return offered.map(({ ssid, band, channel, security }, i) => ({
      ssid,
      up: up.includes(i),
      band,
      channel,
      security,
      mac: identity.mac.replace(/..$/, (last) =>
        ((Number.parseInt(last, 16) + 1 + i) % 256).toString(16).padStart(2, '0').toUpperCase(),
      ),
      clients: wireless.filter((_, at) => up[at % up.length] === i).length,
    }))
  }
}
