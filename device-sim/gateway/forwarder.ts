/**
 * Sends reports of variables, and keeps them in flash while the platform cannot be reached: live ones first, those kept
 * behind them, oldest first. Reports that no longer fit are counted, and the number is reported.
 */
import { variables } from '#schema/monitor/collection'
import { hasValue, qualities, qualityCode } from '#schema/monitor/fields'
import type { VariablesReport } from '#schema/monitor/wire'
import { fault } from '../base.ts'
import type { BacklogRow, DroppedRow } from './backlog-rows.ts'
import type { GatewayPart } from './gateway-part.ts'

/** Kept reports that are on their way at the same time. */
const LATE_WINDOW = 20
/** With more unacknowledged ones the platform is busy: the next ones wait in flash. */
const LIVE_WINDOW = 50

/** Later than this the time of the last report was by another clock: it would be kept until that time comes again. */
const SET_BACK_MS = 5_000

/** The values of one terminal that were read within a second. */
export type Measured = Pick<VariablesReport, 't' | 'plan' | 'i' | 'v' | 'q'>

export class Forwarder {
  readonly #part: GatewayPart
  #live = 0
  #late = new Set<number>()
  #kept: number
  #lastAt = new Map<number, number>()
  #dropped = new Map<number, DroppedRow>()
  /** The part of `dropped` that is being sent. */
  #telling = new Set<number>()

  constructor(part: GatewayPart) {
    this.#part = part
    this.#kept = part.world.store.backlogCount(part.sn)
    for (const row of part.world.store.droppedBacklog(part.sn)) this.#dropped.set(row.terminal, row)
  }

  /** Reports that wait in flash. */
  get kept(): number {
    return this.#kept
  }

  /** `up`: when the answers came, in milliseconds since the start of the device. */
  send(measured: Measured, up: number): void {
    const at = this.#timeOf(measured.t, up)
    if (!this.#part.online || at === null || this.#live >= LIVE_WINDOW) {
      this.#keep(measured, at, up).catch(fault(this.#part))
      return
    }
    this.#live += 1
    this.#deliver({ ...measured, at })
      .then((arrived) => {
        this.#live -= 1
        return arrived ? undefined : this.#keep(measured, at, up)
      })
      .catch(fault(this.#part))
  }

  /** A connection, or a clock: what was kept can be sent. */
  connected(): void {
    this.#drain()
  }

  /** Only what is in flash survives. */
  boot(): void {
    this.#live = 0
    this.#late.clear()
    this.#telling.clear()
  }

  async forget(): Promise<void> {
    this.#kept = 0
    this.#dropped.clear()
    await this.#part.world.store.forgetBacklog(this.#part.sn)
  }

  /** null: the device has no clock yet. Two reports of a terminal one after the other never have the same time: they would count as one. */
  #timeOf(terminal: number, up: number): number | null {
    if (!this.#part.clock.isSet) return null
    const measuredAt = this.#part.clock.atUptime(up)
    const lastAt = this.#lastAt.get(terminal) ?? 0
    const at = lastAt - measuredAt > SET_BACK_MS ? measuredAt : Math.max(measuredAt, lastAt + 1)
    this.#lastAt.set(terminal, at)
    return at
  }

  /** False: the connection broke before it was acknowledged. */
  async #deliver(report: VariablesReport): Promise<boolean> {
    const dropped = this.#telling.has(report.t) ? undefined : this.#dropped.get(report.t)
    if (dropped) this.#telling.add(report.t)
    const arrived = await this.#part.deliver(
      variables,
      dropped ? { ...report, dropped: { n: dropped.n, from: dropped.since, to: dropped.until } } : report,
    )
    if (dropped) await this.#reportDropped(dropped, arrived)
    return arrived
  }

  async #reportDropped(dropped: DroppedRow, arrived: boolean): Promise<void> {
    const { terminal, n, until } = dropped
    this.#telling.delete(terminal)
    if (!arrived) return
    const now = this.#dropped.get(terminal)
    if (now && now.n > n)
      this.#dropped.set(terminal, { ...now, n: now.n - n, since: Math.min(now.until, until + 1) })
    else this.#dropped.delete(terminal)
    await this.#part.world.store.reportedDropped(this.#part.sn, dropped)
  }

  async #keep({ t, ...body }: Measured, at: number | null, up: number): Promise<void> {
    const { world, sn, bootId } = this.#part
    if (this.#kept >= world.backlogLimit) await this.#dropOldest()
    this.#kept += 1
    await world.store.saveBacklog(sn, { terminal: t, at, boot: bootId, up, body: JSON.stringify(body) })
    this.#drain()
  }

  async #dropOldest(): Promise<void> {
    const { world, sn } = this.#part
    // Those under way are among the first ones.
    const rows = world.store.oldestBacklog(sn, 0, LATE_WINDOW + 1)
    const row = rows.find(({ id }) => !this.#late.has(id))
    if (!row) return
    this.#kept -= 1
    const at = this.#measuredAt(row)?.at ?? 0
    const before = this.#dropped.get(row.terminal)
    this.#dropped.set(row.terminal, {
      terminal: row.terminal,
      n: (before?.n ?? 0) + 1,
      since: Math.min(before?.since ?? at, at),
      until: Math.max(before?.until ?? at, at),
    })
    await world.store.dropBacklog(sn, row, at)
  }

  #drain(): void {
    const { world, sn, online, clock } = this.#part
    if (!online || !clock.isSet || this.#late.size >= LATE_WINDOW || this.#kept === 0) return
    const rows = world.store.oldestBacklog(sn, 0, LATE_WINDOW)
    for (const row of rows) {
      if (this.#late.size >= LATE_WINDOW) return
      if (this.#late.has(row.id)) continue
      this.#late.add(row.id)
      this.#replay(row).catch(fault(this.#part))
    }
  }

  async #replay(row: BacklogRow): Promise<void> {
    const when = this.#measuredAt(row)
    if (!when) return
    // Fixed before it is sent: a second try must carry the same time.
    if (row.at === null) await this.#part.world.store.timeBacklog(row.id, when.at)
    const measured = JSON.parse(row.body) as Omit<Measured, 't'>
    const arrived = await this.#deliver({
      ...measured,
      ...(when.uncertain && { q: uncertain(measured) }),
      t: row.terminal,
      at: when.at,
      late: true,
    })
    if (arrived) {
      this.#kept -= 1
      await this.#part.world.store.removeBacklog([row.id])
    }
    this.#late.delete(row.id)
    if (arrived) this.#drain()
  }

  /** When something was measured; uncertain if the device was restarted before it learned the time. */
  #measuredAt({ at, boot, up }: BacklogRow): { at: number; uncertain: boolean } | null {
    if (at !== null) return { at, uncertain: false }
    const { bootId, clock, world, sn } = this.#part
    if (!clock.isSet) return null
    if (boot === bootId) return { at: clock.atUptime(up), uncertain: false }
    // As if the restart had taken no time: the actual time cannot be later.
    const ended = world.store.lastUp(sn, boot)
    return { at: clock.atUptime(0) - (ended - up) - 1, uncertain: true }
  }
}

const uncertain = ({ i, q }: Pick<Measured, 'i' | 'q'>): number[] =>
  i.map((_, at) => {
    const code = q?.[at] ?? 0
    return hasValue(qualities[code] ?? 'good') && code === 0 ? qualityCode('uncertainTime') : code
  })
