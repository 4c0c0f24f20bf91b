/** Adds up the steps in which the effect of a change for many devices is counted. */
import type { ReplyOf } from '../kit/call.ts'
import type { getChangeImpact } from './config-many.ts'

export type Impact = ReplyOf<typeof getChangeImpact>
type Warning = Impact['warnings'][number]

const sameWarning = (one: Warning, other: Warning) =>
  one.page === other.page && one.path === other.path && one.message === other.message

/** Warnings of the same name at the same field, with the devices that get them. */
export function withWarning(known: readonly Warning[], one: Warning): Warning[] {
  const before = known.find((other) => sameWarning(one, other))
  return before
    ? known.map((other) => (other === before ? { ...other, devices: other.devices + one.devices } : other))
    : [...known, one]
}

/** `faultsMax`: how many of the examples are kept. */
export const impactWith = (before: Impact | null, step: Impact, faultsMax: number): Impact =>
  before === null
    ? step
    : {
        ...step,
        done: before.done + step.done,
        changed: before.changed + step.changed,
        onUplink: before.onUplink + step.onUplink,
        same: before.same + step.same,
        unread: before.unread + step.unread,
        faulty: before.faulty + step.faulty,
        faults: [...before.faults, ...step.faults].slice(0, faultsMax),
        warnings: step.warnings.reduce(withWarning, before.warnings),
      }
