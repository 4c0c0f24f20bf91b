/** The network connection of a device: lost randomly for a while, or for as long as its configuration does not work. */
import type { Base } from './base.ts'

type Owner = Pick<Base, 'world' | 'note' | 'uplink'>

export class Link {
  readonly #part: Owner
  readonly #drop: (reason: string) => void
  #back: Promise<void> | null = null
  #blocked: (PromiseWithResolvers<void> & { problem: string }) | null = null
  #cut: AbortController | null = null

  /** @param drop breaks the current connection without notice */
  constructor(part: Owner, drop: (reason: string) => void) {
    this.#part = part
    this.#drop = drop
  }

  /** Resolves when there is a network. */
  async network(): Promise<void> {
    while (this.#back || this.#blocked) await (this.#back ?? this.#blocked?.promise)
  }

  /** Aborted when the network is lost. */
  lost(): AbortSignal {
    this.#cut ??= new AbortController()
    return this.#cut.signal
  }

  goOffline(ms: number): void {
    if (this.#back) return
    this.#part.note('warning', 'netifd', 'link lost')
    this.#back = this.#part.world.wheel.sleep(ms).then(() => {
      this.#back = null
      this.#part.note('notice', 'netifd', 'link up')
    })
    this.#lose()
  }

  /** Called after each change that may affect the uplink. */
  follow(): void {
    const { problem, interface: name } = this.#part.uplink
    if (problem === (this.#blocked?.problem ?? null)) return
    if (problem === null) {
      this.#part.note('notice', 'netifd', `${name}: up`)
      this.#blocked?.resolve()
      this.#blocked = null
      return
    }
    this.#part.note('error', 'netifd', problem)
    const waiting = this.#blocked ?? Promise.withResolvers<void>()
    this.#blocked = { ...waiting, problem }
    this.#lose()
  }

  #lose(): void {
    this.#drop('the network is lost')
    this.#cut?.abort()
    this.#cut = null
  }
}
