/**
 * [§6] Which permissions an actor may grant: users cannot grant permissions that they do not have, nor change users
 * who have more.
 */
import { type UserType, userTypes } from '#schema/people/session'
import type { Actor } from '../kit/actor.ts'

export type Grants = { functionIds: readonly number[]; menuIds: readonly number[] }

/** The actor has all permissions of a role. */
export const holdsAll = (actor: Actor, grants: Grants): boolean =>
  grants.functionIds.every((id) => actor.functionIds.has(id)) &&
  grants.menuIds.every((id) => actor.menuIds.has(id))

/** Higher types come later in `userTypes`. */
export const outranks = (one: UserType, other: UserType) => userTypes.indexOf(one) > userTypes.indexOf(other)
