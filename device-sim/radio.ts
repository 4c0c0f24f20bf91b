/** Two SIM slots, the cell, and the switch from one SIM to the other when the signal stays bad. */
import type { z } from 'zod'
import type { facts } from '#schema/device/section'
import { simSwitch } from '#schema/device/sim-switch'
import { type Base, fault } from './base.ts'
import { apnOf, uplinkIn, usesSlot } from './config/uplink.ts'
import { digits, share } from './random.ts'

type Reported = z.input<typeof facts.payload>
type Mobile = NonNullable<Reported['mobile']>[number]

/** Average hours between two switches. */
const SWITCH_EVERY_H = 30
const reasons = ['signal', 'latency', 'noNetwork', 'simFailure'] as const
const second = { 'China Mobile': 'China Unicom', 'China Unicom': 'China Telecom' } as const

export class Radio {
  readonly #part: Base

  constructor(part: Base) {
    this.#part = part
  }

  get slot(): number {
    const { settings, config } = this.#part
    const wanted = settings.get('activeSlot')
    const other = 3 - wanted
    // The agent uses the other SIM when one is disabled.
    return !usesSlot(config.doc, wanted) && usesSlot(config.doc, other) ? other : wanted
  }

  /** Both slots; gateways have one SIM. */
  mobile(signalDbm: number | undefined): Mobile[] {
    const { identity, config, uplink } = this.#part
    if (!identity.model.radio) return []
    return [1, 2].map((slot) => {
      const sim = this.#sim(slot)
      const active = slot === this.slot && usesSlot(config.doc, slot)
      if (!sim) return { slot, state: 'absent' as const, active: false }
      return {
        slot,
        state: 'ready' as const,
        active,
        ...sim,
        ...(apnOf(config.doc, slot) && { apn: apnOf(config.doc, slot) }),
        roaming: false,
        ...(active && {
          networkMode: identity.model.radio ?? 'LTE',
          ...(uplink.ip && { ip: uplink.ip }),
          ...(signalDbm !== undefined && {
            signalDbm,
            rsrpDbm: signalDbm - 22,
            rsrqDb: signalDbm > -85 ? -9 : -14,
            sinrDb: Math.max(-5, Math.round((signalDbm + 110) / 2.5)),
          }),
        }),
      }
    })
  }

  station(): Reported['station'] {
    const { identity, world } = this.#part
    if (!identity.model.radio) return undefined
    const number = (what: string, most: number) =>
      Math.floor(share(world.seed, identity.sn, what, this.slot) * most)
    const nr = identity.model.radio === 'NR'
    return {
      slot: this.slot,
      plmn: this.#sim(this.slot)?.imsi?.slice(0, 5) ?? '46000',
      area: 1000 + number('area', 60_000),
      cell: 1_000_000 + number('cell', 260_000_000),
      pci: number('pci', 504),
      band: nr ? 'n78' : 'B3',
      channel: nr ? 627_264 + number('channel', 2000) : 1300 + number('channel', 400),
    }
  }

  /** Called between two status messages; occasionally switches the SIM. */
  misbehaveAtRandom(everyMs: number): void {
    const { identity, dice, world, config } = this.#part
    if (!world.mishaps || !identity.model.radio || !this.#sim(2)) return
    if (dice.roll() >= (everyMs * world.speed) / (SWITCH_EVERY_H * 3_600_000)) return
    const reason =
      this.slot === 1 ? (reasons[Math.floor(dice.roll() * reasons.length)] ?? 'signal') : 'returned'
    // From a SIM without a network nothing would ever bring it back.
    if (uplinkIn(config.doc, identity, 3 - this.slot).problem !== null) return
    this.change(reason).catch(fault(this.#part))
  }

  /** Moves the traffic to the other SIM; resolves when the report is acknowledged. */
  async change(reason: (typeof reasons)[number] | 'returned'): Promise<void> {
    const from = this.slot
    const to = from === 1 ? 2 : 1
    const { settings } = this.#part
    await settings.put('activeSlot', to)
    this.#part.reconfigured([])
    this.#part.note('warning', 'modem', `SIM ${from} → ${to}: ${reason}`)
    await this.#part.report(simSwitch, {
      at: this.#part.now(),
      from,
      to,
      reason,
      ...(this.#sim(from)?.iccid && { fromIccid: this.#sim(from)?.iccid }),
      ...(this.#sim(to)?.iccid && { toIccid: this.#sim(to)?.iccid }),
      ...(this.#sim(to)?.operator && { operator: this.#sim(to)?.operator }),
    })
  }

  #sim(slot: number): { operator: string; imsi: string; iccid: string } | null {
    const { identity, world } = this.#part
    const { operator = '', imsi = '', iccid = '', model, sn } = identity
    if (slot === 1) return { operator, imsi, iccid }
    if (model.hardwareType !== 'router') return null
    return {
      operator: second[operator as keyof typeof second] ?? 'China Mobile',
      imsi: `46001${digits(10, world.seed, sn, 'imsi2')}`,
      iccid: `8986${digits(16, world.seed, sn, 'iccid2')}`,
    }
  }
}
