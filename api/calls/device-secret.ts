import { and, eq, sql } from 'drizzle-orm'
import { hashSecret, makeSecret } from '#infra/secrets'
import { revokeDeviceSecret, rotateDeviceSecret } from '#schema/device'
import { refuse } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'
import { devices } from '#schema/tables/device'
import { type CallContext, handler } from '../handler.ts'
import { visible } from '../scope.ts'

/** Brokers listen: the commit of this transaction is what cuts the device off. */
async function changeSecret({ db, actor, now }: CallContext, deviceId: number, hash: string | null) {
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(devices)
      .set({ secretHash: hash, secretChangedAt: now(), secretUsedAt: null })
      .where(and(visible(actor).devices, eq(devices.id, deviceId)))
      .returning({ id: devices.id })
    if (changed.length === 0) refuse(refusals.noPermission)
    await tx.execute(sql`select pg_notify('device_credentials', ${String(deviceId)})`)
  })
}

export const rotateDeviceSecretHandler = handler(rotateDeviceSecret, async (ctx, body) => {
  const secret = makeSecret()
  await changeSecret(ctx, body.deviceId, hashSecret(secret))
  return { secret, mqttPort: ctx.env.MQTT_PORT }
})

export const revokeDeviceSecretHandler = handler(revokeDeviceSecret, async (ctx, body) => {
  await changeSecret(ctx, body.deviceId, null)
  return null
})
