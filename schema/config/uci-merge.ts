/** The document that results from importing packages, as `uci import` does it: whole, or merged with what is there. */
import { withDrift } from './adopt-drift.ts'
import { driftOf } from './drift.ts'
import type { UciDoc } from './uci.ts'

/** `merge`: what only `into` has stays, and nothing changes its place. */
export function withImported(into: UciDoc, given: UciDoc, merge: boolean): UciDoc {
  if (!merge) return { ...into, ...given }
  const before: UciDoc = {
    ...Object.fromEntries(Object.keys(given).map((name) => [name, { name, sections: [] }])),
    ...into,
  }
  const changes = driftOf(before, { ...into, ...given }, new Set())
  const kept = changes.filter(({ kind }) => kind === 'added' || kind === 'changed').map(({ key }) => key)
  return withDrift(before, { ...into, ...given }, new Set(kept))
}
