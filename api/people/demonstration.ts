import { eq, sql } from 'drizzle-orm'
import { deviceRefusals } from '#schema/device/device-refusals'
import { refuse } from '#schema/kit/refusal'
import {
  DEMONSTRATION_PLATFORM_USER,
  DEMONSTRATION_REMOVED,
  deleteDemonstration,
  removeDemonstration,
} from '#schema/people/demonstration'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { cutOff } from '../device/end-device-work.ts'
import { tell } from '../kit/about.ts'
import { handler } from '../kit/handler.ts'
import { wake } from '../kit/wake-job.ts'

/** Ends the access of its users and devices; the rows, which may be many, are deleted by a job. */
export const deleteDemonstrationHandler = handler(deleteDemonstration, async (ctx) => {
  if (ctx.actor.type !== 'superAdmin') refuse(sessionRefusals.noPermission)
  const { id, name } = await ctx.db.transaction(async (tx) => {
    const [customer] = await tx
      .select()
      .from(customers)
      .where(eq(customers.demonstration, true))
      .for('update')
    if (!customer) return refuse(deviceRefusals.notFound)
    await tx.execute(sql`
      delete from users where customer_id = ${customer.id}
        or (username = ${DEMONSTRATION_PLATFORM_USER} and type = 'systemAdmin' and customer_id is null)`)
    // At once: a start before the rows are gone would let devices enrol with it again, and it would never go.
    await tx.execute(
      sql`insert into installation_marks (name) values (${DEMONSTRATION_REMOVED}) on conflict do nothing`,
    )
    await tx.execute(sql`delete from enrolment_keys where customer_id = ${customer.id}`)
    const gone = await tx
      .update(devices)
      .set({
        deletedAt: sql`coalesce(${devices.deletedAt}, ${ctx.now().toISOString()}::timestamptz)`,
        purgedAt: ctx.now(),
        // `#` is not allowed in serial numbers: the freed one may be used immediately.
        sn: sql`'#' || ${devices.id}`,
        name: '#',
        secretHash: null,
        secretSealed: null,
      })
      .where(eq(devices.customerId, customer.id))
      .returning({ id: devices.id })
    await cutOff(
      tx,
      gone.map(({ id }) => id),
      'deleted',
    )
    return customer
  })
  tell(ctx, [{ id, name, customerId: id }])
  ctx.note({ before: { name } })
  await wake(ctx, removeDemonstration)
  return null
})
