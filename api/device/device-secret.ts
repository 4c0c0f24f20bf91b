import { and, eq, sql } from 'drizzle-orm'
import { hashSecret, makeSecret } from '#infra/secrets'
import { revokeDeviceSecret, rotateDeviceSecret } from '#schema/device/device'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { devices } from '#schema/tables/device'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

/** Brokers listen: the commit of this transaction is what cuts the device off. */
async function changeSecret(ctx: CallContext, deviceId: number, hash: string | null) {
  const { db, actor, now } = ctx
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(devices)
      .set({ secretHash: hash, secretChangedAt: now(), secretUsedAt: null })
      .where(and(visible(actor).devices, eq(devices.id, deviceId)))
      .returning({ sn: devices.sn })
    const [device] = changed
    if (!device) refuse(sessionRefusals.noPermission)
    ctx.note({ object: device.sn, after: { credential: hash === null ? 'revoked' : 'rotated' } })
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
