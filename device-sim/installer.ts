/** Task items, one at a time. What must not happen twice is stored on disk before it happens. */

import type { TaskFailure } from '#schema/kit/task-kind'
import { progress } from '#schema/task/task'
import { fault } from './base.ts'
import { ConfigRestore, unpackConfig } from './config-restore.ts'
import type { Cause, Partial as PartialFile } from './download.ts'
import { decideFault } from './faults.ts'
import { fetchPackage, type Offer } from './fetch-package.ts'
import { DownloadFailed } from './outcome.ts'
import type { ItemRow, ItemStep } from './store.ts'
import type { Part } from './world.ts'

/** Seconds at speed 1. */
const FLASH_S = [20, 45] as const
const INSTALL_S = [5, 12] as const
/** Time limit for the last report before going down. */
const LAST_WORD_MS = 5_000

export type StepEvent = { item: string; step: ItemStep; failure: TaskFailure | null }

const nameOf = ({ name, version }: Offer) => [name, version].filter(Boolean).join(' ')
const isEnd = (step: ItemStep) => step === 'done' || step === 'failed' || step === 'cancelled'

export class Installer {
  readonly #part: Part
  /** Failures for the next offers. */
  readonly forced: TaskFailure[] = []
  readonly restore: ConfigRestore
  #busy = false
  /** What an item that was called back has left, in RAM: the same file continues from there. [docs/protocol.md: Downloading] */
  #partial: { sha256: string; file: PartialFile } | null = null
  #current: { id: string; stop: AbortController; percent: number } | null = null

  constructor(part: Part) {
    this.#part = part
    this.restore = new ConfigRestore(part, (item) => this.#restoreFailed(item))
  }

  /** Resolves when the offer is on disk. A known item is never started again: its current step is reported. */
  async offered(offer: Offer): Promise<void> {
    const { sn, world } = this.#part
    const known = world.store.item(sn, offer.item)
    if (known) {
      // Its link may have expired by now; the new one replaces it.
      if (!isEnd(known.step) && known.step !== 'upgrading')
        await world.store.saveItem({ ...known, offer: JSON.stringify(offer) })
      return this.#tell(known)
    }
    const row: ItemRow = {
      sn,
      id: offer.item,
      offer: JSON.stringify(offer),
      step: 'known',
      failure: null,
      detail: null,
      fault: this.forced.shift() ?? decideFault(world.faults, world.seed, offer.item),
      installs: 0,
      reported: 0,
      at: Date.now(),
    }
    await world.store.saveItem(row)
    this.#tell(row)
    this.#pump()
  }

  /** Reports what is known of the item. */
  queried(id: string): void {
    const row = this.#part.world.store.item(this.#part.sn, id)
    if (row) this.#tell(row)
    else this.#part.report(progress, { item: id, at: this.#part.now(), step: 'unknown' })
  }

  /** Revokes the item permanently, unless installing has begun. */
  async cancelled(id: string): Promise<void> {
    const { sn, world } = this.#part
    const row = world.store.item(sn, id)
    if (row?.step === 'upgrading') return this.#tell(row)
    if (row && isEnd(row.step)) return
    const blank = { sn, id, offer: null, failure: null, detail: null, fault: null, installs: 0 }
    // Before anything is awaited: what has not begun to install must not begin while this is stored.
    if (this.#current?.id === id) this.#current.stop.abort()
    await world.store.saveItem({ ...(row ?? blank), step: 'cancelled', reported: 1, at: Date.now() })
  }

  /**
   * After a boot: an installation in progress is complete by now; unacknowledged results are reported; other items
   * continue.
   */
  async booted(): Promise<void> {
    this.restore.booted()
    this.#partial = null
    for (const row of this.#part.world.store.openItems(this.#part.sn)) {
      if (row.step === 'upgrading') this.#tell(await this.#finish(row))
      else if (isEnd(row.step)) this.#tell(row)
    }
    this.#pump()
  }

  #pump(): void {
    const { world, sn } = this.#part
    if (this.#busy) return
    const row = world.store.openItems(sn).find((item) => !isEnd(item.step))
    if (!row) return
    this.#busy = true
    this.#work(row).then(
      () => {
        this.#busy = false
        if (!this.#part.power.aborted) this.#pump()
      },
      (error) => {
        this.#busy = false
        fault(this.#part)(error)
      },
    )
  }

  async #work(row: ItemRow): Promise<void> {
    const { power, world } = this.#part
    const stop = new AbortController()
    const current = { id: row.id, stop, percent: 0 }
    this.#current = current
    const offer = JSON.parse(row.offer ?? '{}') as Offer
    const ignore = fault(this.#part)
    const partial = this.#partial?.sha256 === offer.sha256 ? this.#partial.file : null
    this.#partial = null
    try {
      const bytes = await fetchPackage({
        part: this.#part,
        offer,
        fault: row.fault,
        signal: AbortSignal.any([power, stop.signal]),
        partial,
        onAborted: (file) => {
          this.#partial = { sha256: offer.sha256, file }
        },
        onConnected: () => {
          this.#move(row.id, 'connected').catch(ignore)
          this.#move(row.id, 'downloading').catch(ignore)
        },
        onPercent: (percent) => {
          current.percent = percent
          this.#tell({ ...row, step: 'downloading' })
        },
        onHeldUp: (cause) => this.#tell(world.store.item(row.sn, row.id) ?? row, cause),
        onFetched: () => this.#move(row.id, 'downloaded').catch(ignore),
      })
      if (offer.type === 'config') await this.restore.prepare(row.id, unpackConfig(bytes))
      if (!stop.signal.aborted) await this.#install(row, offer)
    } catch (error) {
      if (stop.signal.aborted || power.aborted) return
      if (!(error instanceof DownloadFailed)) throw error
      this.#part.note('error', 'upgrade', `${nameOf(offer)}: ${error.failure}`)
      await this.#move(row.id, 'failed', { failure: error.failure, detail: error.message.slice(0, 500) })
    } finally {
      this.#current = null
    }
    world.log.debug({ sn: this.#part.sn, item: row.id }, 'an item has ended')
  }

  async #install(fetched: ItemRow, offer: Offer): Promise<void> {
    const { world, dice, power } = this.#part
    const { wheel, speed } = world
    if (this.#part.trial.busy !== null) throw new DownloadFailed('unknownError', this.#part.trial.busy)
    this.#part.note('notice', 'upgrade', `installing ${nameOf(offer)}`)
    const row = await this.#move(fetched.id, 'upgrading', { installs: fetched.installs + 1 })
    if (offer.type !== 'upgrade' && offer.type !== 'config') {
      this.#tell(row)
      await wheel.sleep((dice.between(...INSTALL_S) * 1000) / speed, power)
      const ended = await this.#finish(row)
      this.#part.greet()
      return this.#tell(ended)
    }
    await Promise.race([this.#report(row), wheel.sleep(LAST_WORD_MS, power)])
    this.#part.down()
    await wheel.sleep((dice.between(...FLASH_S) * 1000) / speed)
    await this.#finish(row)
    // `booted` reports how it ended.
    this.#part.boot()
  }

  /** The new version and the end of the item are one write, so that they are never inconsistent. */
  async #finish(row: ItemRow): Promise<ItemRow> {
    const { world, row: device } = this.#part
    const offer = JSON.parse(row.offer ?? '{}') as Offer
    if (row.fault === 'upgradeFailed') {
      const ended: ItemRow = { ...row, step: 'failed', failure: 'upgradeFailed', detail: 'simulated' }
      await world.store.saveItem(ended)
      return this.#ended(ended)
    }
    const { type, name, version = '' } = offer
    if (type === 'config') await this.restore.apply()
    else if (type === 'upgrade') device.firmware = version
    else device.packages = JSON.stringify({ ...JSON.parse(device.packages), [name]: version })
    const ended: ItemRow = { ...row, step: 'done', at: Date.now() }
    const reset = offer.keepConfig ? [] : [this.#part.settings.reset(false), this.#part.config.forget()]
    await Promise.all([world.store.saveInstalled(device, ended), ...reset])
    return this.#ended(ended)
  }

  /** Cut off by the restored configuration, it has the former one again; reported when it is back. */
  async #restoreFailed(id: string): Promise<void> {
    const { store } = this.#part.world
    const row = store.item(this.#part.sn, id)
    const detail = 'no connection with the restored configuration: the former one is back'
    if (row) await store.saveItem({ ...row, step: 'failed', failure: 'upgradeFailed', detail, reported: 0 })
  }

  #ended(row: ItemRow): ItemRow {
    this.#emit(row)
    return row
  }

  /** Stores the step and reports it; resolves when it is on disk. */
  async #move(id: string, step: ItemStep, more: Partial<ItemRow> = {}): Promise<ItemRow> {
    const { store } = this.#part.world
    const before = store.item(this.#part.sn, id)
    if (!before) throw new Error(`item ${id} is not remembered`)
    // Cancelled while the last bytes arrived: an ended item stays ended.
    if (isEnd(before.step)) return before
    const row: ItemRow = { ...before, ...more, step, at: Date.now() }
    const saved = store.saveItem(row)
    this.#emit(row)
    // `upgrading` is reported by the caller, which waits for the acknowledgement.
    if (step !== 'upgrading') this.#tell(row)
    await saved
    return row
  }

  #emit({ id, step, failure }: ItemRow): void {
    this.#part.events.emit('step', { item: id, step, failure } satisfies StepEvent)
  }

  #tell(row: ItemRow, heldUpBy?: Cause): void {
    this.#report(row, heldUpBy).catch(fault(this.#part))
  }

  async #report(row: ItemRow, heldUpBy?: Cause): Promise<void> {
    const { world, sn } = this.#part
    const at = this.#part.now()
    const percent = this.#current?.id === row.id ? this.#current.percent : 0
    const end = { item: row.id, at, ...(row.detail && { detail: row.detail }) }
    const cause = heldUpBy && { failure: heldUpBy.failure, detail: heldUpBy.detail.slice(0, 500) }
    if (row.step === 'known')
      await this.#part.report(
        progress,
        { item: row.id, at, step: 'accepted', ...cause },
        cause && `${row.id} held up`,
      )
    else if (row.step === 'downloading')
      await this.#part.report(
        progress,
        { item: row.id, at, step: row.step, percent, ...cause },
        `${row.id} downloading`,
      )
    else if (row.step === 'failed')
      await this.#part.report(progress, { ...end, step: 'failed', failure: row.failure ?? 'unknownError' })
    else if (row.step === 'cancelled')
      await this.#part.report(progress, {
        ...end,
        step: 'failed',
        failure: 'unknownError',
        detail: 'cancelled',
      })
    else await this.#part.report(progress, { item: row.id, at, step: row.step })
    if (isEnd(row.step) && row.reported === 0) await world.store.saveItem({ ...row, reported: 1 })
    world.log.trace({ sn, item: row.id, step: row.step }, 'reported')
  }
}
