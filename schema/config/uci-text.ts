/** Carries a change into a file's own text, so that comments, blank lines and quoting stay wherever nothing changed. */
import { configLine, exportUci, optionLines, parseUci, type UciPackage, type UciSection } from './uci.ts'
import { matchSections, movedPairs, sameValue } from './uci-match.ts'
import { scanUci, type UciCommand } from './uci-scan.ts'

/** A row of the text and what it is about: `section` is null before the first, `option` for any but an option's row. */
type Line = {
  readonly text: string
  readonly section: number | null
  readonly option: string | null
  readonly isCommand: boolean
}

const lineOf = (command: UciCommand): string =>
  command.word === 'config'
    ? configLine(command)
    : command.word === 'package'
      ? ''
      : optionLines({
          name: command.name,
          value: command.word === 'list' ? [command.value] : command.value,
        })

/** Rows that hold several commands are taken apart where one of them is about a section that changes. */
function linesOf(text: string, { sections }: UciPackage, changes: (section: number) => boolean): Line[] {
  let section: number | null = null
  let opened = 0
  const place = (name: string | null): number => {
    const reopened = name === null ? -1 : sections.slice(0, opened).findIndex((one) => one.name === name)
    return reopened < 0 ? opened++ : reopened
  }
  return [...scanUci(text, true)].flatMap(({ text: row, commands }) => {
    if (commands.length === 0) return [{ text: row, section, option: null, isCommand: false }]
    const lines = commands.map((command) => {
      if (command.word === 'config') section = place(command.name)
      const option = command.word === 'option' || command.word === 'list' ? command.name : null
      return { text: lineOf(command), section, option, isCommand: command.word !== 'package' }
    })
    const [only] = lines
    if (only && lines.length === 1) return [{ ...only, text: row }]
    return lines.some((line) => line.section !== null && changes(line.section))
      ? lines
      : [{ text: row, section, option: null, isCommand: true }]
  })
}

const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
const added = (section: number, option: string | null, text: string): Line => ({
  text,
  section,
  option,
  isCommand: true,
})

/** New text for a changed option; of a list, the items before and after the change keep their rows. */
function changed(own: readonly Line[], was: UciSection['options'][number], now: typeof was): string {
  const all = optionLines(now)
  if (typeof was.value === 'string' || typeof now.value === 'string' || own.length !== was.value.length)
    return all
  const [old, items] = [was.value, now.value]
  const rows = own.map(({ text }) => ended(text))
  let [head, tail] = [0, 0]
  while (head < Math.min(old.length, items.length) && old[head] === items[head]) head++
  while (tail < Math.min(old.length, items.length) - head && old.at(-1 - tail) === items.at(-1 - tail)) tail++
  const middle = optionLines({ name: now.name, value: items.slice(head, items.length - tail) })
  return [...rows.slice(0, head), middle, ...rows.slice(rows.length - tail)].join('')
}

function editSection(lines: Line[], index: number, before: UciSection, after: UciSection): Line[] {
  const now = new Map(after.options.map((option) => [option.name, option]))
  const was = new Map(before.options.map((option) => [option.name, option]))
  const replaced = new Set<string>()
  const kept = lines.flatMap((line) => {
    if (line.section !== index || line.option === null) return [line]
    const [old, option] = [was.get(line.option), now.get(line.option)]
    if (!option) return []
    if (old && sameValue(old.value, option.value)) return [line]
    if (replaced.has(option.name)) return []
    replaced.add(option.name)
    const own = lines.filter((one) => one.section === index && one.option === option.name)
    return [added(index, option.name, old ? changed(own, old, option) : optionLines(option))]
  })
  const missing = after.options.filter(
    ({ name }) => !kept.some((line) => line.section === index && line.option === name),
  )
  return missing.length === 0
    ? kept
    : insertBehind(
        kept,
        index,
        missing.map((option) => added(index, option.name, optionLines(option))),
      )
}

const lastOf = (lines: readonly Line[], index: number): number =>
  lines.findLastIndex((line) => line.isCommand && line.section === index)

/** Behind the section's last command; null: before the first section. */
function insertBehind(lines: readonly Line[], index: number | null, own: readonly Line[]): Line[] {
  const first = lines.findIndex(({ section }) => section !== null)
  const at = index === null ? (first < 0 ? lines.length : first) : lastOf(lines, index) + 1
  const head = lines.slice(0, at).map((line) => ({ ...line, text: ended(line.text) }))
  return [...head, ...own, ...lines.slice(at)]
}

/** The section's rows with the comments between them, and the blank rows behind, which part it from the next one. */
function takeOut(lines: readonly Line[], index: number): { rest: Line[]; own: Line[] } {
  const from = lines.findIndex((line) => line.isCommand && line.section === index)
  let to = lastOf(lines, index) + 1
  const own = lines.slice(from, to).filter(({ section }) => section === index)
  while (to < lines.length && lines[to]?.text.trim() === '') to++
  const rest = lines.filter((line, at) => at < from || at >= to || line.section !== index)
  return { rest, own }
}

const blank = (section: number): Line => ({ text: '\n', section, option: null, isCommand: false })

/**
 * The file with only the changed rows changed; what it reads as is exactly `after`. Where that cannot be had so (options
 * in another order, sections that continue each other), the whole file is written anew.
 * @param before what `text` reads as
 * @throws UciFault
 */
export function editUciText(text: string, before: UciPackage, after: UciPackage): string {
  const wanted = exportUci(after)
  if (wanted === exportUci(before)) return text
  const pairs = matchSections(before, after)
  const moved = movedPairs(pairs)
  const newOf = new Map(pairs.map((pair) => [pair.before, pair]))
  const stays = (index: number): boolean => {
    const pair = newOf.get(index)
    return (
      pair !== undefined &&
      !moved.has(pair) &&
      JSON.stringify(before.sections[index]) === JSON.stringify(after.sections[pair.after])
    )
  }
  let lines = linesOf(text, before, (index) => !stays(index))
  const taken = new Map<number, Line[]>()
  for (const index of before.sections.keys()) {
    if (stays(index)) continue
    const pair = newOf.get(index)
    const [old, now] = [before.sections[index], pair && after.sections[pair.after]]
    if (old && now) lines = editSection(lines, index, old, now)
    if (pair && !moved.has(pair)) continue
    const { rest, own } = takeOut(lines, index)
    lines = rest
    taken.set(index, own)
  }
  let previous: number | null = null
  const oldOf = new Map(pairs.map((pair) => [pair.after, pair]))
  for (const [at, section] of after.sections.entries()) {
    const pair = oldOf.get(at)
    // New sections are numbered behind the old ones.
    const index: number = pair?.before ?? before.sections.length + at
    if (!pair || moved.has(pair)) {
      const own = taken.get(index) ?? [
        added(index, null, configLine(section)),
        ...section.options.map((option) => added(index, option.name, optionLines(option))),
      ]
      const parted = own.map((line) => ({ ...line, text: ended(line.text) }))
      const block = previous === null ? [...parted, blank(index)] : [blank(index), ...parted]
      lines = insertBehind(lines, previous, block)
    }
    previous = index
  }
  const edited = lines.map((line) => line.text).join('')
  return exportUci(parseUci(after.name, edited)) === wanted ? edited : wanted.slice(wanted.indexOf('\n') + 1)
}
