/** Which section of one package is which of another: by name, and where there is none by what the sections say. */
import type { UciPackage, UciSection } from './uci.ts'

/** Indexes into `sections` of both packages. */
export type UciPair = { readonly before: number; readonly after: number }

/** Below it, two anonymous sections of a type are two sections and not one that was changed. */
const SIMILAR = 0.4
/** About how many pairs of one type are compared at most. */
const COMPARISONS = 200_000

export const sameValue = (a: string | readonly string[] | undefined, b: typeof a): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

type Texts = ReadonlyMap<string, string>
const textsOf = (section: UciSection): Texts =>
  new Map(section.options.map(({ name, value }) => [name, JSON.stringify(value)]))

/** 0 to 1: how many of the options agree; what people call a section by (`name`) counts three times. */
function similarity(ours: Texts, theirs: Texts): number {
  let same = 0
  let all = 0
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const weight = name === 'name' ? 3 : 1
    all += weight
    if (ours.get(name) === theirs.get(name)) same += weight
  }
  return all === 0 ? 1 : same / all
}

type Indexed = { readonly section: UciSection; readonly index: number }

/** The pairs of one anonymous type, most alike first, and of equally similar ones those at the same place. */
function pairAlike(before: readonly Indexed[], after: readonly Indexed[]): UciPair[] {
  const only = before.length === 1 && after.length === 1
  // Thousands that all differ are compared with those at about the same place only.
  const reach = Math.ceil(COMPARISONS / Math.max(before.length, 1))
  const theirs = after.map((b) => textsOf(b.section))
  const candidates = before.flatMap((a, i) => {
    const ours = textsOf(a.section)
    const from = Math.max(0, i - reach)
    return after.slice(from, i + reach).map((b, offset) => {
      const j = from + offset
      return { a, b, alike: similarity(ours, theirs[j] ?? new Map()), apart: Math.abs(i - j) }
    })
  })
  candidates.sort((x, y) => y.alike - x.alike || x.apart - y.apart)
  const pairs: UciPair[] = []
  const [taken, given] = [new Set<number>(), new Set<number>()]
  for (const { a, b, alike } of candidates) {
    if (taken.has(a.index) || given.has(b.index) || (alike < SIMILAR && !only)) continue
    taken.add(a.index)
    given.add(b.index)
    pairs.push({ before: a.index, after: b.index })
  }
  return pairs
}

/** Equal anonymous sections are paired in linear time: a list of 10,000 reservations differs in a few. */
function pairEqual(before: readonly Indexed[], after: readonly Indexed[]) {
  const keyOf = ({ section }: Indexed) =>
    JSON.stringify(section.options.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  const open = Map.groupBy(before, keyOf)
  const pairs: UciPair[] = []
  const rest: Indexed[] = []
  for (const one of after) {
    const match = open.get(keyOf(one))?.shift()
    if (match) pairs.push({ before: match.index, after: one.index })
    else rest.push(one)
  }
  return { pairs, before: [...open.values()].flat().toSorted((a, b) => a.index - b.index), after: rest }
}

const anonymousByType = (pkg: UciPackage) =>
  Map.groupBy(
    pkg.sections.map((section, index) => ({ section, index })).filter(({ section }) => section.name === null),
    ({ section }) => section.type,
  )

/** In the order of `after`. What is in no pair was removed or added. */
export function matchSections(before: UciPackage, after: UciPackage): readonly UciPair[] {
  const named = new Map(
    before.sections.flatMap(({ type, name }, index) => (name === null ? [] : [[`${type} ${name}`, index]])),
  )
  const pairs: UciPair[] = after.sections.flatMap(({ type, name }, index) => {
    const match = name === null ? undefined : named.get(`${type} ${name}`)
    return match === undefined ? [] : [{ before: match, after: index }]
  })
  const old = anonymousByType(before)
  for (const [type, sections] of anonymousByType(after)) {
    const equal = pairEqual(old.get(type) ?? [], sections)
    pairs.push(...equal.pairs, ...pairAlike(equal.before, equal.after))
  }
  return pairs.toSorted((a, b) => a.after - b.after)
}

/** Those of the pairs (in the order of `after`) that must move: as few as possible, the others keep their order. */
export function movedPairs(pairs: readonly UciPair[]): ReadonlySet<UciPair> {
  // The longest increasing subsequence of the old places stays.
  const tails: number[] = []
  const previous: number[] = []
  for (const [i, pair] of pairs.entries()) {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tails[middle] ?? 0]?.before ?? 0) < pair.before) low = middle + 1
      else high = middle
    }
    previous[i] = tails[low - 1] ?? -1
    tails[low] = i
  }
  const moved = new Set(pairs)
  for (let i = tails.at(-1) ?? -1; i >= 0; i = previous[i] ?? -1) {
    const stays = pairs[i]
    if (stays) moved.delete(stays)
  }
  return moved
}
