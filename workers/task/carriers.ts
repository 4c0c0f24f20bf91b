/** The carriers by their way of sending, and the lookup for an item's kind. */
import { kindNamed, taskKinds } from '#infra/task-kinds'
import type { Carrier } from './carry.ts'
import { carryCommand } from './carry-command.ts'
import { carryOffer } from './carry-offer.ts'

export const carriers: readonly Carrier[] = [carryOffer, carryCommand]

/** @throws for a way of sending without a carrier; the boot check excludes that. */
export function carrierOf(kind: string): Carrier {
  const { by } = kindNamed(kind).sends
  const found = carriers.find((one) => one.by === by)
  if (!found) throw new Error(`nothing carries ${by}`)
  return found
}

/** Kinds whose devices cannot be called back: devices are not informed when their items end. */
export const kindsWithoutCallBack = [...taskKinds.keys()].filter((kind) => carrierOf(kind).callBack === null)
