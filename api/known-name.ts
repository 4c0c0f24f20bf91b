/** Whose names the actor may read [decisions/062]: everybody's to the platform, to a customer those of its own users. */
import { isPlatformType } from '#schema/session'
import type { Actor } from './actor.ts'

/** `customerId` of the user who is named; null: of the platform. */
export const knowsNamesOf = (actor: Actor, customerId: number | null): boolean =>
  isPlatformType(actor.type) || (customerId !== null && customerId === actor.customerId)
