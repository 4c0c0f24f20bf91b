/** The carriers by their way of sending, and the words for an item of a kind. */
import { kindNamed, taskKinds } from '#infra/task-kinds'
import type { Carrier } from './carry.ts'
import { carryCommand } from './carry-command.ts'
import { carryOffer } from './carry-offer.ts'

export const carriers: readonly Carrier[] = [carryOffer, carryCommand]

/** @throws on a way of sending that nothing carries out; the boot has refused that before */
export function carrierOf(kind: string): Carrier {
  const { by } = kindNamed(kind).sends
  const found = carriers.find((one) => one.by === by)
  if (!found) throw new Error(`nothing carries ${by}`)
  return found
}

/** Kinds whose devices cannot be called back: what ends is not told to them. */
export const untold = [...taskKinds.keys()].filter((kind) => carrierOf(kind).callBack === null)
