/** [§6] Who may give what to whom: nobody grants what he does not hold, nor touches those who hold more. */
import { type UserType, userTypes } from '#schema/people/session'
import type { Actor } from '../kit/actor.ts'

export type Grants = { functionIds: readonly number[]; menuIds: readonly number[] }

/** A role's rights, whole, are among the actor's. */
export const holdsAll = (actor: Actor, grants: Grants): boolean =>
  grants.functionIds.every((id) => actor.functionIds.has(id)) &&
  grants.menuIds.every((id) => actor.menuIds.has(id))

/** Higher types stand later in `userTypes`. */
export const outranks = (one: UserType, other: UserType) => userTypes.indexOf(one) > userTypes.indexOf(other)
