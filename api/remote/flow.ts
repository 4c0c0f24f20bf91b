/** A stream that several may hold back: it flows while nobody does. */
export class Flow {
  readonly #stream: { pause(): unknown; resume(): unknown }
  readonly #held = new Set<string>()

  constructor(stream: { pause(): unknown; resume(): unknown }) {
    this.#stream = stream
  }

  hold(who: string): void {
    this.#held.add(who)
    this.#stream.pause()
  }

  release(who: string): void {
    if (this.#held.delete(who) && this.#held.size === 0) this.#stream.resume()
  }
}
