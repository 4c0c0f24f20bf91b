/**
 * Brings a terminal to any moment of a recording, piece by piece: a long recording is more than a terminal takes at
 * once, and the page must not stand still meanwhile. The terminal goes to where it was last asked to, and nowhere else.
 */
import { type Cast, sizeIn } from './cast.ts'

/** Characters that a terminal draws within a frame or two. */
const PIECE_CHARS = 256 * 1024
/** Full reset (RIS). */
const RESET = '\u001bc'

export type Screen = {
  /** @param done when it has been drawn */
  write(text: string, done: () => void): void
  resize(columns: number, rows: number): void
}

export class CastFeed {
  readonly #cast: Cast
  readonly #screen: Screen
  /** The first event that is not written yet. */
  #next = 0
  #wantedS = 0
  #isWriting = false
  #isOver = false

  constructor(cast: Cast, screen: Screen) {
    this.#cast = cast
    this.#screen = screen
  }

  /** When the terminal goes on; null: it has shown everything. */
  get nextS(): number | null {
    return this.#cast.events[this.#next]?.at ?? null
  }

  showTo(positionS: number): void {
    this.#wantedS = positionS
    if (!this.#isWriting) this.#write()
  }

  /** The terminal is gone. */
  end(): void {
    this.#isOver = true
  }

  #write(): void {
    const { events, columns, rows } = this.#cast
    const last = events[this.#next - 1]
    if (last && last.at > this.#wantedS) {
      this.#next = 0
      this.#draw(RESET, { columns, rows })
      return
    }
    let text = ''
    let size: ReturnType<typeof sizeIn> = null
    for (
      let event = events[this.#next];
      event && event.at <= this.#wantedS && size === null && text.length < PIECE_CHARS;
      event = events[++this.#next]
    ) {
      if (event.code === 'o') text += event.text
      if (event.code === 'r') size = sizeIn(event.text)
    }
    if (text !== '' || size !== null) this.#draw(text, size)
  }

  /** The size changes after the text: what came before was made for the size of then. */
  #draw(text: string, size: ReturnType<typeof sizeIn>): void {
    this.#isWriting = true
    this.#screen.write(text, () => {
      if (this.#isOver) return
      if (size !== null) this.#screen.resize(size.columns, size.rows)
      this.#isWriting = false
      this.#write()
    })
  }
}
