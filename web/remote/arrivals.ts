/** The files that a pane downloads: what has arrived of one whose download broke off, so that the next one brings the rest. */

/** What has arrived. */
export type Arrived = { parts: Uint8Array<ArrayBuffer>[]; bytes: number }
type Known = { readonly sizeBytes: number; readonly modifiedAt: string | null }

export class Arrivals {
  readonly #kept = new Map<string, Arrived & { readonly of: string }>()
  readonly #running = new Set<string>()

  /** null: it is arriving already; a second download would mix its bytes with those of the first. */
  begin(path: string, { sizeBytes, modifiedAt }: Known): Arrived | null {
    if (this.#running.has(path)) return null
    this.#running.add(path)
    // A file that has changed meanwhile starts over, also if it is as long as before.
    const of = `${sizeBytes} ${modifiedAt}`
    const kept = this.#kept.get(path)
    const arrived = kept?.of === of ? kept : { parts: [], bytes: 0, of }
    this.#kept.set(path, arrived)
    return arrived
  }

  /** @param isWhole otherwise the part that has arrived is kept */
  end(path: string, isWhole: boolean): void {
    this.#running.delete(path)
    if (isWhole) this.#kept.delete(path)
  }
}
