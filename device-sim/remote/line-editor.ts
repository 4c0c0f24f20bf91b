/** Line editing of a terminal: echo, erasing, history. */
import { StringDecoder } from 'node:string_decoder'

type LineEvent = { kind: 'line'; line: string } | { kind: 'interrupt'; line: '' } | { kind: 'end'; line: '' }

const LINE_MAX = 4_096
const HISTORY_MAX = 50
// biome-ignore lint/suspicious/noControlCharactersInRegex: what keys send
const PARTS = /\u001b\[[0-9;?]*[A-Za-z~]|\u001b.|[\s\S]/gu
/** Chinese, Japanese and Korean characters take two columns. */
const isWide = (char: string) =>
  /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/u.test(char)

export class LineEditor {
  readonly #echo: (text: string) => void
  readonly #decoder = new StringDecoder('utf8')
  readonly #history: string[] = []
  #line: string[] = []
  #back = 0
  #wasReturn = false
  /** Off while a password is asked for: nothing of it is shown, or comes back with the arrow keys. */
  echoes = true

  constructor(echo: (text: string) => void) {
    this.#echo = (text) => this.echoes && echo(text)
  }

  *feed(chunk: Buffer): Generator<LineEvent> {
    for (const [part] of this.#decoder.write(chunk).matchAll(PARTS)) {
      // CR LF is one end of a line.
      const repeated = part === '\n' && this.#wasReturn
      this.#wasReturn = part === '\r'
      if (repeated) continue
      if (part === '\r' || part === '\n') yield this.#enter()
      else if (part === '\u0003') {
        this.#line = []
        this.#echo('^C\r\n')
        yield { kind: 'interrupt', line: '' }
      } else if (part === '\u0004') {
        if (this.#line.length === 0) yield { kind: 'end', line: '' }
      } else if (part === '\u007f' || part === '\b') this.#erase()
      else if (part === '\u001b[A') this.#recall(1)
      else if (part === '\u001b[B') this.#recall(-1)
      else if (part >= ' ' && !part.startsWith('\u001b') && this.#line.length < LINE_MAX) {
        this.#line.push(part)
        this.#echo(part)
      }
    }
  }

  #enter(): LineEvent {
    const line = this.#line.join('')
    this.#line = []
    this.#back = 0
    if (line.trim() !== '' && this.echoes) this.#history.unshift(line)
    this.#history.length = Math.min(this.#history.length, HISTORY_MAX)
    this.#echo('\r\n')
    return { kind: 'line', line }
  }

  #erase(): void {
    const char = this.#line.pop()
    if (char !== undefined) this.#echo('\b \b'.repeat(isWide(char) ? 2 : 1))
  }

  #recall(by: 1 | -1): void {
    const next = this.#back + by
    if (next < 0 || next > this.#history.length) return
    while (this.#line.length > 0) this.#erase()
    this.#back = next
    this.#line = next === 0 ? [] : [...(this.#history[next - 1] ?? '')]
    this.#echo(this.#line.join(''))
  }
}
