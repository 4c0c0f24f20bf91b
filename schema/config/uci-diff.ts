/** The semantic differences between two configurations: the position of an option in its section does not matter. */
import type { UciDoc, UciPackage, UciSection } from './uci.ts'
import type { UciChange } from './uci-change.ts'
import { matchSections, movedPairs, sameValue, type UciPair } from './uci-match.ts'

export { uciBatch } from './uci-batch.ts'
export type { UciChange } from './uci-change.ts'
export { isSecretOption, maskDoc, unmaskDoc } from './uci-secrets.ts'

/** The first match wins there: the order of sections of a type is configuration. Elsewhere only that of anonymous ones. */
const ORDERED: readonly string[] = ['firewall', 'mwan3']

export const placeOf = (pkg: UciPackage, section: UciSection): UciChange['section'] => ({
  type: section.type,
  name: section.name,
  index: pkg.sections.filter(({ type }) => type === section.type).indexOf(section),
})

type Found = Pick<UciChange, 'kind' | 'option' | 'before' | 'after'>

function optionChanges(before: UciSection | undefined, after: UciSection | undefined): Found[] {
  const old = new Map(before?.options.map(({ name, value }) => [name, value]))
  const changes: Found[] = []
  for (const { name, value } of after?.options ?? []) {
    const was = old.get(name)
    old.delete(name)
    if (was === undefined) changes.push({ kind: 'added', option: name, after: value })
    else if (!sameValue(was, value))
      changes.push({ kind: 'changed', option: name, before: was, after: value })
  }
  for (const [name, value] of old) changes.push({ kind: 'removed', option: name, before: value })
  return changes
}

/** Only among its own type and only where it means something. */
export function moves(before: UciPackage, pairs: readonly UciPair[]): ReadonlySet<UciPair> {
  const typeOf = ({ before: index }: UciPair) => before.sections[index]?.type ?? ''
  const counting = pairs.filter(
    (pair) => ORDERED.includes(before.name) || before.sections[pair.before]?.name === null,
  )
  return new Set([...Map.groupBy(counting, typeOf).values()].flatMap((ofType) => [...movedPairs(ofType)]))
}

function diffPackage(before: UciPackage, after: UciPackage): UciChange[] {
  const pairs = matchSections(before, after)
  const moved = moves(before, pairs)
  const oldOf = new Map(pairs.map((pair) => [pair.after, pair]))
  const kept = new Set(pairs.map((pair) => pair.before))
  const about = (pkg: UciPackage, section: UciSection, found: readonly Found[]): UciChange[] =>
    found.map((one) => ({ package: before.name, section: placeOf(pkg, section), ...one }))

  const gone = before.sections.flatMap((section, index) =>
    kept.has(index)
      ? []
      : about(before, section, [{ kind: 'removed' }, ...optionChanges(section, undefined)]),
  )
  const present = after.sections.flatMap((section, index) => {
    const pair = oldOf.get(index)
    const old = pair && before.sections[pair.before]
    if (!pair || !old) return about(after, section, [{ kind: 'added' }, ...optionChanges(undefined, section)])
    const changes = optionChanges(old, section)
    if (moved.has(pair))
      changes.unshift({ kind: 'moved', before: String(pair.before), after: String(pair.after) })
    return about(before, old, changes)
  })
  return [...gone, ...present]
}

/** Empty where both mean the same, whatever their texts' order, quoting and comments. */
export function diffUci(before: UciDoc, after: UciDoc): readonly UciChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  const empty = (name: string): UciPackage => ({ name, sections: [] })
  return names.flatMap((name) => diffPackage(before[name] ?? empty(name), after[name] ?? empty(name)))
}
