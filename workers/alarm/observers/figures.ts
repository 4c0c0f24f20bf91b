/** Every kind that is the level of a figure; a new one needs no further code. */
import { factsOf, kindsWhere } from '#schema/alarm/alarm-kind'
import { fresh, observeLevel, observes } from '../observer.ts'

export const figureObservers = kindsWhere((facts) => facts.figure !== undefined).map((kind) =>
  observes(kind, ({ tx, at }) =>
    observeLevel(tx, kind, fresh(tx, at), tx`s.${tx(factsOf(kind).figure?.column ?? '')}`),
  ),
)
