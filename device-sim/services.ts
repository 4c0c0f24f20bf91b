/** The system services of a device: they can be started and stopped, until the next factory reset. */
import type { z } from 'zod'
import type { serviceSection, serviceStates } from '#schema/device/section'
import type { Base } from './base.ts'

type Service = z.input<typeof serviceSection>
type State = (typeof serviceStates)[number]

const everywhere = ['dnsmasq', 'dropbear', 'firewall', 'ntpd', 'uhttpd', 'iot-agent'] as const
const byType = {
  router: ['hostapd', 'qmi-watchdog', 'openvpn'],
  gateway: ['modbus-gateway', 'qmi-watchdog', 'mosquitto'],
  printServer: ['p910nd', 'cups-browsed'],
  serialServer: ['ser2net'],
} as const
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
      const running = !stopped.includes(name)
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
    if (action === 'stop') return 'stopped'
    this.#startedAt.set(name, this.#part.now())
    return 'running'
  }

  #names(): string[] {
    return [...everywhere, ...byType[this.#part.identity.model.hardwareType]].toSorted()
  }
}
