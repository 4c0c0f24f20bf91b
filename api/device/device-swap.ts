import { and, asc, eq, or, sql } from 'drizzle-orm'
import { sealFor } from '#infra/broker-account'
import { hashSecret, makeSecret } from '#infra/secrets'
import { compareTemplates, TEMPLATES_LOCK } from '#schema/config/compare-templates'
import { swapDevice } from '#schema/device/device-swap'
import { unusualRefusals } from '#schema/device/unusual-refusals'
import { refuse } from '#schema/kit/refusal'
import { absent } from '#schema/people/session-refusals'
import { nameKey } from '#schema/tables/columns'
import { deviceStates, devices } from '#schema/tables/device'
import { dispatchTasks, sweepTasks } from '#schema/task/task'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'
import { cutOff, endOpenWork, type Transaction } from './end-device-work.ts'
import { mqttAddressesOf } from './mqtt-addresses.ts'
import { refuseTaken } from './serial-number.ts'

type Device = typeof devices.$inferSelect

/** Fields that belong to the place instead of the machine. */
const inherited = (old: Device) => ({
  groupId: old.groupId,
  name: old.name,
  address: old.address,
  dataPlanMb: old.dataPlanMb,
  longitude: old.longitude,
  latitude: old.latitude,
  replacesId: old.id,
})

type Successor = { id: number; model: string | null; secret: string | null }

/** Registers the new serial number; null: it exists already. */
async function register(
  { env }: CallContext,
  tx: Transaction,
  old: Device,
  sn: string,
): Promise<Successor | null> {
  const secret = makeSecret()
  const [made] = await tx
    .insert(devices)
    .values({
      ...inherited(old),
      customerId: old.customerId,
      sn,
      secretHash: hashSecret(secret),
      secretSealed: sealFor(env, secret),
    })
    .onConflictDoNothing({ target: devices.sn })
    .returning({ id: devices.id })
  if (!made) return null
  await tx.insert(deviceStates).values({ deviceId: made.id }).onConflictDoNothing()
  return { id: made.id, model: null, secret }
}

/** Uses a device of the same customer that is registered already, manually or by an enrolment key. */
async function adopt(ctx: CallContext, tx: Transaction, old: Device, sn: string): Promise<Successor> {
  const [known] = await tx
    .select()
    .from(devices)
    .where(and(visible(ctx.actor).devices, eq(devices.sn, sn), eq(devices.customerId, old.customerId)))
    .for('update')
  if (!known) return refuseTaken({ db: tx, actor: ctx.actor }, sn)
  if (known.replacesId !== null) refuse(unusualRefusals.swapTaken, { sn }, 'deviceSn')
  // If it has used its secret, the secret is on the machine: a new one would lock it out.
  const secret = known.secretUsedAt === null ? makeSecret() : null
  await tx
    .update(devices)
    .set({
      ...inherited(old),
      ...(secret === null
        ? {}
        : {
            secretHash: hashSecret(secret),
            secretSealed: sealFor(ctx.env, secret),
            secretChangedAt: ctx.now(),
          }),
    })
    .where(eq(devices.id, known.id))
  if (secret !== null) await cutOff(tx, [known.id], 'revoked')
  return { id: known.id, model: known.model, secret }
}

/**
 * The equipment that is wired to the place. Where the new machine was prepared with a terminal of the same name or for
 * the same slave, that one remains; a bus gets the line settings of the equipment on it.
 */
async function transferTerminals(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.execute(sql`
    with moved as (
      update terminals t set device_id = ${to} where device_id = ${from} and not exists (
        select 1 from terminals o where o.device_id = ${to} and (${nameKey(sql`o.name`)} = ${nameKey(sql`t.name`)}
          or (o.protocol = t.protocol and o.slave_address = t.slave_address and o.slave_id = t.slave_id
            and coalesce(o.port, 0) = coalesce(t.port, 0) and coalesce(o.serial_port, 0) = coalesce(t.serial_port, 0))))
      returning t.protocol, t.slave_address, t.serial_port, t.baud_rate, t.parity, t.data_bits, t.stop_bits)
    update terminals o set baud_rate = m.baud_rate, parity = m.parity, data_bits = m.data_bits, stop_bits = m.stop_bits
    from moved m where o.device_id = ${to} and o.protocol = 'modbusRtu' and m.protocol = 'modbusRtu'
      and o.slave_address = m.slave_address and o.serial_port is not distinct from m.serial_port`)
}

/**
 * Transfers pending tasks (except those for another model, or built from the running configuration of this very
 * machine), rules, terminals, schedules, backups, templates and their values.
 */
async function transferBelongings(tx: Transaction, old: Device, to: Successor): Promise<number> {
  const rows = await tx.execute(sql`
    update task_items i set device_id = ${to.id}, from_version = null from tasks t
    where i.device_id = ${old.id} and i.outcome is null and i.sending = 'none' and t.id = i.task_id and i.args is null
      and (${to.model}::text is null or t.model is null or t.model = ${to.model}::text)
      and not exists (select 1 from task_items o where o.device_id = ${to.id} and o.task_id = i.task_id and not o.superseded)
    returning i.id`)
  await transferTerminals(tx, old.id, to.id)
  // The new machine has yet to get its scheduled reboots.
  await tx.execute(sql`
    update schedules set device_id = ${to.id}, confirmed_revision = 0, sent_until = null, plan_command_id = null, plan_tried_at = null
    where device_id = ${old.id} and not exists (select 1 from schedules o where o.device_id = ${to.id})`)
  // Sections reported while a former owner had the device stay with the old machine.
  await tx.execute(sql`
    update device_backups set device_id = ${to.id}, from_sn = coalesce(from_sn, ${old.sn})
    where device_id = ${old.id} and customer_id = ${old.customerId} and file_key is not null`)
  for (const [table, of] of [
    ['alarm_rule_devices', 'rule_id'],
    ['maintenance_devices', 'maintenance_id'],
    ['config_template_uses', 'template_id'],
    ['config_variable_values', 'variable_id'],
  ] as const)
    await tx.execute(sql`
      update ${sql.identifier(table)} x set device_id = ${to.id} where device_id = ${old.id} and not exists (
        select 1 from ${sql.identifier(table)} o where o.device_id = ${to.id} and o.${sql.identifier(of)} = x.${sql.identifier(of)})`)
  return rows.length
}

/**
 * Taken after the swap: the comparison of devices with templates holds this lock, and may wait for the row of a device.
 */
async function compareAgain(ctx: CallContext, customerId: number, deviceId: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${TEMPLATES_LOCK}::int, ${customerId}::int)`)
    await tx.execute(sql`delete from config_template_states where device_id = ${deviceId}`)
  })
  await wake(ctx, compareTemplates)
}

export const swapDeviceHandler = handler(swapDevice, async (ctx, body) => {
  const now = ctx.now()
  const done = await ctx.db.transaction(async (tx) => {
    // By id, as all who lock several devices do: the new machine may have been registered before the old one.
    await tx
      .select({ id: devices.id })
      .from(devices)
      .where(
        and(visible(ctx.actor).devices, or(eq(devices.id, body.deviceId), eq(devices.sn, body.deviceSn))),
      )
      .orderBy(asc(devices.id))
      .for('update')
    const [old] = await tx
      .select()
      .from(devices)
      .where(and(visible(ctx.actor).devices, eq(devices.id, body.deviceId)))
      .for('update')
    if (!old) refuse(absent)
    if (old.sn === body.deviceSn) refuse(unusualRefusals.swapSame, {}, 'deviceSn')
    const to = (await register(ctx, tx, old, body.deviceSn)) ?? (await adopt(ctx, tx, old, body.deviceSn))
    const tasks = await transferBelongings(tx, old, to)
    await endOpenWork(tx, [old.id], 'deviceReplaced', now)
    await tx
      .update(devices)
      .set({ deletedAt: now, deletedBy: ctx.actor.userId, deletedReason: body.reason })
      .where(eq(devices.id, old.id))
    await cutOff(tx, [old.id], 'deleted')
    return { old, to, tasks }
  })
  const { old, to, tasks } = done
  ctx.note({
    before: { deviceSn: old.sn },
    after: { deviceSn: body.deviceSn, reason: body.reason, tasks },
  })
  await compareAgain(ctx, old.customerId, to.id)
  await wake(ctx, sweepTasks)
  await wake(ctx, dispatchTasks)
  return {
    deviceId: to.id,
    groupId: old.groupId,
    deviceSn: body.deviceSn,
    secret: to.secret,
    mqtt: mqttAddressesOf(ctx.env),
    tasks,
  }
})
