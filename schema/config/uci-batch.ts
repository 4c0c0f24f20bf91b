/**
 * Changes as text for `uci batch`, for display and export. Never sent to devices: a batch may stop halfway without an
 * error.
 */
import type { UciChange } from './uci-change.ts'

/** A batch takes two words a line, so everything is quoted. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const sectionOf = ({ package: name, section }: UciChange): string =>
  `${name}.${section.name ?? `@${section.type}[${section.index}]`}`

function optionLines(change: UciChange, section: string): string[] {
  const target = `${section}.${change.option}`
  if (change.after === undefined) return [`delete ${quote(target)}`]
  if (typeof change.after === 'string') return [`set ${quote(`${target}=${change.after}`)}`]
  return [
    ...(change.before === undefined ? [] : [`delete ${quote(target)}`]),
    ...change.after.map((item) => `add_list ${quote(`${target}=${item}`)}`),
  ]
}

function addedLines(own: readonly UciChange[]): string[] {
  const [head] = own
  if (!head) return []
  const { type, name } = head.section
  const made =
    name === null
      ? `add ${quote(head.package)} ${quote(type)}`
      : `set ${quote(`${head.package}.${name}=${type}`)}`
  const section = `${head.package}.${name ?? `@${type}[-1]`}`
  return [made, ...own.flatMap((change) => (change.option ? optionLines(change, section) : []))]
}

/**
 * The changes of one package. What is changed comes first, then what goes (from the last on), so that the index of an
 * anonymous section still counts; added ones come last, then what moves.
 */
function packageLines(name: string, changes: readonly UciChange[]): string[] {
  const keyOf = ({ section }: UciChange) => JSON.stringify(section)
  const heads = changes.filter(({ option }) => option === undefined)
  const added = new Set(heads.filter(({ kind }) => kind === 'added').map(keyOf))
  const removed = heads.filter(({ kind }) => kind === 'removed')
  const gone = new Set(removed.map(keyOf))
  const of = (change: UciChange) => (change.kind === 'added' ? added : gone)
  const isWhole = (change: UciChange) => change.kind !== 'changed' && of(change).has(keyOf(change))
  return [
    ...changes
      .filter((change) => change.option !== undefined && !isWhole(change))
      .flatMap((change) => optionLines(change, sectionOf(change))),
    ...removed
      .toSorted((a, b) => b.section.index - a.section.index)
      .map((change) => `delete ${quote(sectionOf(change))}`),
    ...[
      ...Map.groupBy(
        changes.filter((one) => one.kind === 'added' && isWhole(one)),
        keyOf,
      ).values(),
    ].flatMap(addedLines),
    ...heads
      .filter(({ kind }) => kind === 'moved')
      .map((change) => `reorder ${quote(`${sectionOf(change)}=${change.after}`)}`),
    `commit ${quote(name)}`,
  ]
}

export const uciBatch = (changes: readonly UciChange[]): string =>
  [...Map.groupBy(changes, ({ package: name }) => name)]
    .flatMap(([name, own]) => packageLines(name, own))
    .map((line) => `${line}\n`)
    .join('')
