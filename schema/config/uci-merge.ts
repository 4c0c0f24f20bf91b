/** The document that results from importing packages, as `uci import` does it: whole, or merged with what is there. */
import { withDrift } from './adopt-drift.ts'
import { saidBy } from './bind.ts'
import type { UciDoc, UciSection } from './uci.ts'

/** However alike they are otherwise, two firewall rules of different names are two. */
const isOne = (one: UciSection, other: UciSection) => {
  const [named, called] = [saidBy(one, 'name'), saidBy(other, 'name')]
  return one.name !== null || named === undefined || called === undefined || String(named) === String(called)
}

/** `merge`: what only `into` has stays, and nothing changes its place. */
export function withImported(into: UciDoc, given: UciDoc, merge: boolean): UciDoc {
  if (!merge) return { ...into, ...given }
  const set: UciDoc = {
    ...Object.fromEntries(Object.keys(given).map((name) => [name, { name, sections: [] }])),
    ...into,
  }
  const running = { ...into, ...given }
  return withDrift({ set, running }, 'set', (_key, kind) => kind === 'added' || kind === 'changed', isOne)
}
