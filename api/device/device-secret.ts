import { and, eq, sql } from 'drizzle-orm'
import { sealFor } from '#infra/broker-account'
import { hashSecret, makeSecret } from '#infra/secrets'
import { revokeDeviceSecret, rotateDeviceSecret } from '#schema/device/device'
import { refuse } from '#schema/kit/refusal'
import { absent } from '#schema/people/session-refusals'
import { devices } from '#schema/tables/device'
import { rowOf } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { storedDevice } from './device-object.ts'
import { mqttAddressesOf } from './mqtt-addresses.ts'

/** Brokers listen: the commit of this transaction disconnects the device. */
async function changeSecret(ctx: CallContext, secret: string | null) {
  const { db, env, now } = ctx
  const { id } = rowOf(ctx, storedDevice)
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(devices)
      .set({
        secretHash: secret === null ? null : hashSecret(secret),
        secretSealed: secret === null ? null : sealFor(env, secret),
        secretChangedAt: now(),
        secretUsedAt: null,
      })
      .where(and(visible(ctx.actor).devices, eq(devices.id, id)))
      .returning({ id: devices.id })
    // Deleted, or given to another customer meanwhile.
    if (changed.length === 0) refuse(absent, {}, 'deviceId')
    await tx.execute(sql`select pg_notify('device_credentials', ${String(id)})`)
  })
  ctx.note({ after: { credential: secret === null ? 'revoked' : 'rotated' } })
}

export const rotateDeviceSecretHandler = handler(rotateDeviceSecret, async (ctx) => {
  const secret = makeSecret()
  await changeSecret(ctx, secret)
  return { secret, mqtt: mqttAddressesOf(ctx.env) }
})

export const revokeDeviceSecretHandler = handler(revokeDeviceSecret, async (ctx) => {
  await changeSecret(ctx, null)
  return null
})
