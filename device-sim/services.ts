/** The system services of a device: they can be started and stopped, until the next factory reset. */
import type { z } from 'zod'
import type { UciDoc } from '#schema/config/uci'
import type { serviceSection, serviceStates } from '#schema/device/section'
import type { Base } from './base.ts'
import { accessPoints, enabledIn, ntpOn, remoteOf, serialOn } from './config/lan.ts'

type Service = z.input<typeof serviceSection>
type State = (typeof serviceStates)[number]

const everywhere = ['dnsmasq', 'dropbear', 'firewall', 'ntpd', 'uhttpd', 'iot-agent'] as const
const byType = {
  router: ['hostapd', 'qmi-watchdog', 'openvpn'],
  gateway: ['serial-agent', 'mbusd', 'qmi-watchdog', 'mosquitto', 'openvpn'],
  printServer: ['p910nd', 'cups-browsed'],
  serialServer: ['ser2net'],
} as const
/** Services that run only if their configuration says so. */
const configured: Readonly<Record<string, (doc: UciDoc) => boolean>> = {
  dropbear: (doc) => remoteOf(doc).ssh.enabled,
  uhttpd: (doc) => remoteOf(doc).web.enabled,
  ntpd: ntpOn,
  hostapd: (doc) => accessPoints(doc).some(({ on }) => on),
  openvpn: (doc) => enabledIn(doc, 'openvpn', 'openvpn'),
  ser2net: (doc) => enabledIn(doc, 'ser2net', 'proxy'),
  mbusd: (doc) => enabledIn(doc, 'mbusd', 'mbusd'),
  'serial-agent': serialOn,
}
/** Without this one no service could be started again. */
const OWN = 'iot-agent'

export class Services {
  readonly #part: Base
  #startedAt = new Map<string, number>()
  #bootedAt = 0

  constructor(part: Base) {
    this.#part = part
  }

  boot(now: number): void {
    this.#startedAt = new Map()
    this.#bootedAt = now
  }

  list(): Service[] {
    const stopped = this.#part.settings.get('stopped')
    return this.#names().map((name) => {
      const enabled = this.#isEnabled(name)
      const running = enabled && !stopped.includes(name)
      return {
        name,
        state: running ? ('running' as const) : ('stopped' as const),
        autostart: running,
        ...(running && { startedAt: this.#startedAt.get(name) ?? this.#bootedAt }),
        ...(name === OWN && { controllable: false }),
      }
    })
  }

  /** @throws with the text for the reply. */
  async control(name: string, action: 'start' | 'stop' | 'restart'): Promise<State> {
    if (!this.#names().includes(name)) throw new Error(`there is no service ${name}`)
    if (name === OWN) throw new Error(`${name} cannot be controlled from the platform`)
    const { settings } = this.#part
    const others = settings.get('stopped').filter((other) => other !== name)
    await settings.put('stopped', action === 'stop' ? [...others, name] : others)
    if (action === 'stop' || !this.#isEnabled(name)) return 'stopped'
    this.#startedAt.set(name, this.#part.now())
    return 'running'
  }

  #isEnabled(name: string): boolean {
    return configured[name]?.(this.#part.config.doc) ?? true
  }

  #names(): string[] {
    return [...everywhere, ...byType[this.#part.identity.model.hardwareType]].toSorted()
  }
}
