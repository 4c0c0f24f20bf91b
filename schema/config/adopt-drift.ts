/** Copies selected differences from one document to another, and leaves the rest unchanged. */
import { withOption, withSections } from './bind.ts'
import { driftOf } from './drift.ts'
import type { UciDoc, UciSection } from './uci.ts'

type Address = { package: string; type: string; name: string | null; index: number }

/** By name, else the n-th of its type: as a difference names it. */
function placeOf(sections: readonly UciSection[], { type, name, index }: Address): number {
  if (name !== null) return sections.findIndex((section) => section.name === name)
  const ofType = sections.flatMap((section, i) => (section.type === type ? [i] : []))
  return ofType[index] ?? -1
}

/**
 * `into` with the values that `from` has at these differences. A section that one of them lacks is taken over or
 * removed as a whole; a moved one takes the place of `from` along with all of its type.
 */
export function withDrift(into: UciDoc, from: UciDoc, keys: ReadonlySet<string>): UciDoc {
  const changes = driftOf(into, from, new Set()).filter(({ key }) => keys.has(key))
  let after: UciDoc = into
  const gone = new Map<string, Set<UciSection>>()
  for (const change of changes) {
    const { package: of, section, kind, option } = change
    const sections = after[of]?.sections ?? []
    const before = into[of]?.sections ?? []
    const old = before[placeOf(before, { package: of, ...section })]
    if (option === undefined && kind === 'removed') {
      if (old) gone.set(of, (gone.get(of) ?? new Set()).add(old))
    } else if (option === undefined && kind === 'added') {
      const made = from[of]?.sections ?? []
      const added = made[placeOf(made, { package: of, ...section })]
      if (added) after = withSections(after, of, [...sections, added])
    } else if (kind === 'moved') {
      after = withSections(after, of, from[of]?.sections ?? sections)
    } else if (option !== undefined && old) {
      const value = kind === 'removed' ? null : (change.after ?? null)
      const changed = sections.map((one, i) =>
        before[i] === old && i < before.length ? withOption(one, option, value) : one,
      )
      after = withSections(after, of, changed)
    }
  }
  for (const [of, sections] of gone) {
    const before = into[of]?.sections ?? []
    const kept = (after[of]?.sections ?? []).filter((_, i) => {
      const was = before[i]
      return was === undefined || !sections.has(was)
    })
    after = withSections(after, of, kept)
  }
  return after
}
