/** What counts as set from the platform once a device has kept a change. */
import { withDrift } from '#schema/config/adopt-drift'
import { driftOf } from '#schema/config/drift'
import type { UciDoc } from '#schema/config/uci'

type Change = {
  /** Set before; null: nothing was. */
  readonly desired: UciDoc | null
  /** What the device runs, and what the change makes of it. */
  readonly doc: UciDoc
  readonly after: UciDoc
  readonly ignored: ReadonlySet<string>
}

/** The same setting, a section of it, or an option in it. */
const meets = (one: string, other: string) =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)

/**
 * The result of the change, but for differences that were there before and that it leaves alone: nobody has adopted them, so that they
 * stay differences. Ignored ones end with it. Where it adds or removes sections without a name, the others of the package have
 * other numbers, and its result is taken as a whole.
 */
export function desiredAfter({ desired, doc, after, ignored }: Change): UciDoc {
  if (desired === null) return after
  const before = driftOf(desired, doc, ignored)
  if (before.length === 0) return after
  const changes = driftOf(doc, after, new Set())
  const renumbered = new Set(
    changes.flatMap((one) => (one.section.name === null && one.option === undefined ? [one.package] : [])),
  )
  const still = new Set(driftOf(desired, after, ignored).map(({ key }) => key))
  const kept = before.filter(
    (one) =>
      still.has(one.key) && !renumbered.has(one.package) && !changes.some(({ key }) => meets(key, one.key)),
  )
  return withDrift(after, desired, new Set(kept.map(({ key }) => key)))
}
