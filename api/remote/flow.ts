/** A stream that several parties can pause: it flows while none of them does. */
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
