/** Reads UCI text command by command, as libuci does, and remembers which rows of the text each came from. */

/** A text that libuci refuses; one bad line refuses the whole package, and its services then have no configuration. */
export class UciFault extends Error {
  /** Counted from 1. */
  readonly line: number
  /** libuci's own words. */
  readonly reason: string
  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`)
    this.line = line
    this.reason = reason
  }
}

export type UciCommand =
  | { readonly word: 'package'; readonly name: string }
  | { readonly word: 'config'; readonly type: string; readonly name: string | null }
  | { readonly word: 'option' | 'list'; readonly name: string; readonly value: string }
export type UciWord = UciCommand['word']

/** One line with the lines that it continues on. */
export type UciRow = {
  readonly line: number
  readonly commands: readonly UciCommand[]
}

// Only ASCII: the C library's isspace, not JavaScript's \s.
const SPACE = ' \t\n\v\f\r'
const words: readonly UciWord[] = ['package', 'config', 'option', 'list']
const validName = /^[A-Za-z0-9_]+$/
const validPackage = /^[A-Za-z0-9_-]+$/
const validType = /^[\x21-\x7e]+$/

/** The part of the text that libuci would have read so far: more is fetched only if a line continues. */
class Reader {
  readonly text: string
  at = 0
  line = 0
  /** Where the current line ends: its text, or the place from which the rest is ignored. */
  #end = 0
  #next = 0
  constructor(text: string) {
    this.text = text
  }

  get char(): string {
    return this.at < this.#end ? (this.text[this.at] ?? '') : ''
  }
  get isSpace(): boolean {
    return this.char !== '' && SPACE.includes(this.char)
  }
  fault(reason: string): never {
    throw new UciFault(Math.max(this.line, 1), reason)
  }

  /** Goes on to the next line; false at the end of the text. */
  fetch(): boolean {
    this.at = this.#next
    if (this.#next >= this.text.length) return false
    const feed = this.text.indexOf('\n', this.#next)
    this.#end = feed < 0 ? this.text.length : feed + 1
    this.#next = this.#end
    this.line++
    return true
  }
  ignoreRest(): void {
    this.#end = this.at
  }
  skip(chars: string): void {
    while (this.char !== '' && chars.includes(this.char)) this.at++
  }

  /** After a backslash: true if a character follows that counts as it is, false if the line was continued. */
  escaped(): boolean {
    this.at++
    const rest = this.text.slice(this.at, this.#end)
    if (rest !== '' && rest !== '\n' && rest !== '\r\n') return true
    if (!this.fetch()) this.ignoreRest()
    return false
  }

  quoted(quote: string): string {
    let value = ''
    this.at++
    while (this.char !== quote) {
      if (this.char === '') {
        if (!this.fetch()) this.fault(`EOF with unterminated ${quote}`)
      } else if (quote === "'" || this.char !== '\\' || this.escaped()) {
        value += this.char
        this.at++
      }
    }
    this.at++
    return value
  }

  /** The next word; '' at a `;`, at a comment and at the end of the line. */
  word(): string {
    this.skip(SPACE)
    if (this.char === ';') {
      this.at++
      return ''
    }
    let value = ''
    let plain = true
    do {
      const char = this.char
      if (char === '#') this.ignoreRest()
      if (char === '' || char === '#') return value
      if (char === ';') {
        // libuci ends a plain word by overwriting this very character: the rest of the line is lost.
        if (plain) this.ignoreRest()
        return value
      }
      if (char === "'" || char === '"' || char === '\\') plain = false
      if (char === "'" || char === '"') value += this.quoted(char)
      else if (char !== '\\' || this.escaped()) {
        value += this.char
        this.at++
      }
    } while (this.char !== '' && !this.isSpace)
    if (this.char !== '') this.at++
    return value
  }

  required(valid: RegExp, reason: string): string {
    const word = this.word()
    if (word === '') this.fault('insufficient arguments')
    return valid.test(word) ? word : this.fault(reason)
  }
  endOfCommand(): void {
    if (this.word() !== '') this.fault('too many arguments')
  }
}

const BAD_NAME = 'invalid character in name field'

/** Null at the end of the line. */
function readCommand(reader: Reader, inSection: boolean, inPackage: boolean): UciCommand | null {
  reader.skip(' \t')
  let typed = ''
  while (reader.char !== '' && reader.char !== ' ' && reader.char !== '\t') {
    typed += reader.char
    reader.at++
  }
  if (typed === '' || typed[0] === '#') return null
  const word = words.find((one) => typed === one || typed === one[0]) ?? reader.fault('invalid command')
  if ((word === 'option' || word === 'list') && !inSection)
    reader.fault('option/list command found before the first section')
  if (word === 'config' && !inPackage) reader.fault('attempting to import a file without a package name')
  if (reader.char === '') reader.fault(`${word === 'list' ? 'option' : word} without name`)
  reader.at++
  if (word === 'package') {
    const name = reader.required(validPackage, BAD_NAME)
    reader.endOfCommand()
    return { word, name }
  }
  if (word === 'config') {
    const type = reader.required(validType, 'invalid character in type field')
    const name = reader.word()
    if (name !== '' && !validName.test(name)) reader.fault(BAD_NAME)
    reader.endOfCommand()
    return { word, type, name: name === '' ? null : name }
  }
  const name = reader.required(validName, BAD_NAME)
  const value = reader.word()
  reader.endOfCommand()
  return { word, name, value }
}

/**
 * Every row of the text in order.
 * @param single the package has a name already: `package` lines change nothing.
 * @throws UciFault
 */
export function* scanUci(text: string, single: boolean): Generator<UciRow> {
  const reader = new Reader(text)
  let inSection = false
  let inPackage = single
  while (reader.fetch()) {
    const line = reader.line
    const commands: UciCommand[] = []
    reader.skip(SPACE)
    for (;;) {
      const command = readCommand(reader, inSection, inPackage)
      if (!command) break
      if (command.word === 'config') inSection = true
      if (command.word === 'package' && !single) [inPackage, inSection] = [true, false]
      commands.push(command)
    }
    yield { line, commands }
  }
}
