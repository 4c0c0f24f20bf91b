/** Copies selected differences from one document to another, and leaves the rest unchanged. */
import { saidBy, withOption } from './bind.ts'
import { keyOf } from './drift.ts'
import type { UciDoc, UciPackage, UciSection } from './uci.ts'
import { moves, placeOf, type UciChange } from './uci-diff.ts'
import { matchSections, sameValue } from './uci-match.ts'

/** What was set, what runs: differences are named as `driftOf` names those from the one to the other. */
export type Side = 'set' | 'running'
const other = { set: 'running', running: 'set' } as const
/** @param kind as seen from what was set */
type Chosen = (key: string, kind: UciChange['kind']) => boolean
/** Whether two sections that differ are the same one, if they are alike. */
type IsOne = (set: UciSection, running: UciSection) => boolean

/** A section of a result, and its place in the package that differences are copied from; null: it has none there. */
export type Placed = { readonly section: UciSection; readonly from: number | null }

/** The section with the values that `from` has of the options that differ and are chosen. */
export function withOptions(
  section: UciSection,
  from: UciSection,
  chosen: (option: string) => boolean,
): UciSection {
  const names = [...new Set([...section.options, ...from.options].map(({ name }) => name))]
  return names.reduce((made, name) => {
    const value = saidBy(from, name)
    const stays = sameValue(saidBy(section, name), value) || !chosen(name)
    return stays ? made : withOption(made, name, value ?? null)
  }, section)
}

/** The sections of a type in the order of `from`, in the places that they have together. */
export function inOrderOf(placed: readonly Placed[], type: string): Placed[] {
  const isOne = ({ section, from }: Placed) => section.type === type && from !== null
  const ordered = placed.filter(isOne).toSorted((a, b) => (a.from ?? 0) - (b.from ?? 0))
  return placed.map((one) => (isOne(one) ? (ordered.shift() ?? one) : one))
}

/** With a section of `from`, behind the one that it follows there among its type: of firewall rules the first that matches counts. */
export function withInserted(placed: readonly Placed[], from: UciPackage, index: number): readonly Placed[] {
  const section = from.sections[index]
  if (!section) return placed
  let [before, after] = [-1, -1]
  for (const [at, one] of placed.entries()) {
    if (one.from === null || one.section.type !== section.type) continue
    if (one.from < index && one.from > (placed[before]?.from ?? -1)) before = at
    if (one.from > index && one.from < (placed[after]?.from ?? Number.POSITIVE_INFINITY)) after = at
  }
  const at = before >= 0 ? before + 1 : after >= 0 ? after : placed.length
  return placed.toSpliced(at, 0, { section, from: index })
}

/** One package of the side `into` with the chosen differences. */
function merged(
  both: Record<Side, UciPackage>,
  into: Side,
  chosen: Chosen,
  isOne: IsOne,
): readonly UciSection[] {
  const { set, running } = both
  const isChosen = (kind: UciChange['kind'], of: UciPackage, section: UciSection, option?: string) =>
    chosen(
      keyOf({ package: of.name, section: placeOf(of, section), ...(option === undefined ? {} : { option }) }),
      kind,
    )
  /** A section that only one side has is added or removed as a whole. */
  const isWhole = (side: Side, section: UciSection) =>
    isChosen(side === 'set' ? 'removed' : 'added', both[side], section)
  const found = matchSections(set, running).filter((pair) =>
    isOne(set.sections[pair.before] as UciSection, running.sections[pair.after] as UciSection),
  )
  const moved = moves(set, found)
  const pairs = found.map((pair) => ({
    set: pair.before,
    running: pair.after,
    section: set.sections[pair.before] as UciSection,
    moved: moved.has(pair),
  }))
  const from = other[into]
  const pairOf = new Map(pairs.map((pair) => [pair[into], pair]))
  let placed: readonly Placed[] = both[into].sections.flatMap((section, index): Placed[] => {
    const pair = pairOf.get(index)
    const theirs = pair && both[from].sections[pair[from]]
    if (!pair || !theirs) return isWhole(into, section) ? [] : [{ section, from: null }]
    const now = running.sections[pair.running]
    const kindOf = (option: string): UciChange['kind'] =>
      saidBy(pair.section, option) === undefined
        ? 'added'
        : now && saidBy(now, option) === undefined
          ? 'removed'
          : 'changed'
    const made = withOptions(section, theirs, (option) => isChosen(kindOf(option), set, pair.section, option))
    return [{ section: made, from: pair[from] }]
  })
  for (const pair of pairs)
    if (pair.moved && isChosen('moved', set, pair.section)) placed = inOrderOf(placed, pair.section.type)
  const paired = new Set(pairs.map((pair) => pair[from]))
  for (const [index, section] of both[from].sections.entries())
    if (!paired.has(index) && isWhole(from, section)) placed = withInserted(placed, both[from], index)
  return placed.map(({ section }) => section)
}

/**
 * One of the documents with the values that the other one has at the chosen differences. Sections without a name are
 * told apart by what they say, never by their number, which means another one as soon as one before them is missing.
 */
export function withDrift(
  docs: Record<Side, UciDoc>,
  into: Side,
  chosen: Chosen,
  isOne: IsOne = () => true,
): UciDoc {
  const after: Record<string, UciPackage> = { ...docs[into] }
  // Packages that nobody has set are no difference.
  for (const name of Object.keys(docs.set)) {
    const empty: UciPackage = { name, sections: [] }
    const sections = merged(
      { set: docs.set[name] ?? empty, running: docs.running[name] ?? empty },
      into,
      chosen,
      isOne,
    )
    if (sections.length > 0 || name in docs[into]) after[name] = { name, sections }
  }
  return after
}
