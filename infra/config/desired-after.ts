/** What counts as set from the platform once a device has kept a change. */
import { inOrderOf, type Placed, withInserted, withOptions } from '#schema/config/adopt-drift'
import { saidBy } from '#schema/config/bind'
import { keyOf } from '#schema/config/drift'
import type { UciDoc, UciPackage, UciSection } from '#schema/config/uci'
import { moves, placeOf } from '#schema/config/uci-diff'
import { matchSections, sameValue } from '#schema/config/uci-match'

type Change = {
  /** Set before; null: nothing was. */
  readonly desired: UciDoc | null
  /** What the device runs, and what the change makes of it. */
  readonly doc: UciDoc
  readonly after: UciDoc
  readonly ignored: ReadonlySet<string>
}
type Packages = Record<'desired' | 'doc' | 'after', UciPackage>

const isTouched = (one: UciSection, other: UciSection) =>
  [...one.options, ...other.options].some(({ name }) => !sameValue(saidBy(one, name), saidBy(other, name)))

/** Whether one that is gone from the device is the one that the change has made: people know rules by their names. */
function isAgain(gone: UciSection, made: UciSection): boolean {
  if (gone.type !== made.type || gone.name !== made.name) return false
  const called = saidBy(gone, 'name')
  return (
    gone.name !== null ||
    (called !== undefined && sameValue(called, saidBy(made, 'name'))) ||
    !isTouched(gone, made)
  )
}

/** The result of the change, with what was set where the change has left a difference alone. */
function setIn(
  { desired, doc, after }: Packages,
  isIgnored: (place: UciSection, option?: string) => boolean,
) {
  const [drift, change] = [matchSections(desired, doc), matchSections(doc, after)]
  const setOf = new Map(drift.map((pair) => [pair.after, pair.before]))
  const ranOf = new Map(change.map((pair) => [pair.after, pair.before]))
  const changeMoves = [...moves(doc, change)]
  const movedTo = new Set(changeMoves.map((pair) => pair.after))
  const made: UciSection[] = []
  let placed: readonly Placed[] = after.sections.flatMap((section, index): Placed[] => {
    const ran = doc.sections[ranOf.get(index) ?? -1]
    if (!ran) {
      made.push(section)
      return [{ section, from: null }]
    }
    const place = setOf.get(ranOf.get(index) ?? -1)
    const set = desired.sections[place ?? -1]
    // Only the device has it: nobody has set it, unless an edit changes it.
    if (place === undefined || !set)
      return isTouched(ran, section) || movedTo.has(index) || isIgnored(ran) ? [{ section, from: null }] : []
    const stays = (option: string) =>
      sameValue(saidBy(ran, option), saidBy(section, option)) && !isIgnored(set, option)
    return [{ section: withOptions(section, set, stays), from: place }]
  })
  const reordered = new Set(changeMoves.map((pair) => doc.sections[pair.before]?.type))
  for (const pair of moves(desired, drift)) {
    const set = desired.sections[pair.before]
    if (set && !reordered.has(set.type) && !isIgnored(set)) placed = inOrderOf(placed, set.type)
  }
  const ran = new Set(drift.map((pair) => pair.before))
  for (const [index, set] of desired.sections.entries()) {
    const isGone = !ran.has(index) && !made.some((one) => isAgain(set, one))
    if (isGone && !isIgnored(set)) placed = withInserted(placed, desired, index)
  }
  return placed.map(({ section }) => section)
}

/**
 * The result of the change, but for differences that were there before and that it leaves alone: nobody has adopted them, so that they
 * stay differences. Ignored ones end with it.
 */
export function desiredAfter({ desired, doc, after, ignored }: Change): UciDoc {
  if (desired === null) return after
  const next: Record<string, UciPackage> = { ...after }
  for (const [name, set] of Object.entries(desired)) {
    const [ran, result] = [doc[name], after[name]]
    // Gone from the device, and not sent again: as before.
    if (!ran && !result) next[name] = set
    if (!result) continue
    const isIgnored = (place: UciSection, option?: string) =>
      ignored.size > 0 &&
      [set, ran].some(
        (of) =>
          of?.sections.includes(place) &&
          ignored.has(
            keyOf({
              package: name,
              section: placeOf(of, place),
              ...(option === undefined ? {} : { option }),
            }),
          ),
      )
    if (ran) next[name] = { name, sections: setIn({ desired: set, doc: ran, after: result }, isIgnored) }
  }
  return next
}
