import { and, eq } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { deviceRefusals } from '#schema/device/device-refusals'
import { unusualRefusals } from '#schema/device/unusual-refusals'
import { refuse } from '#schema/kit/refusal'
import { devices } from '#schema/tables/device'
import type { Actor } from '../kit/actor.ts'
import { visible } from '../kit/scope.ts'

/** Refuses a serial number in use; if it is one of the actor's own abnormal devices, the message says so. */
export async function refuseTaken(
  { db, actor }: { db: Pick<Context['db'], 'select'>; actor: Actor },
  sn: string,
  field = 'deviceSn',
): Promise<never> {
  const [deleted] = await db
    .select({ id: devices.id })
    .from(devices)
    .where(and(visible(actor).unusualDevices, eq(devices.sn, sn)))
  return refuse(deleted ? unusualRefusals.snDeleted : deviceRefusals.snTaken, { sn }, field)
}
