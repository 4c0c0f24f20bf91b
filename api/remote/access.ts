/** Access on approval: requested, decided by a second person, ended. [decisions/133] */
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { mailWay } from '#infra/mail'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { sendMails } from '#schema/platform/mail'
import {
  approveAccess,
  askAccess,
  endAccess,
  getAccessList,
  getAwaitedAccess,
  getDeviceAccess,
  refuseAccess,
} from '#schema/remote/access'
import { remoteApprovePermission } from '#schema/remote/access-pages'
import type { AccessState } from '#schema/remote/access-policy'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { devices } from '#schema/tables/device'
import { remoteAccesses } from '#schema/tables/remote-access'
import { users } from '#schema/tables/user'
import { storedDevice } from '../device/device-object.ts'
import { rowOf } from '../kit/about.ts'
import { holds } from '../kit/actor.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { wake } from '../kit/wake-job.ts'
import { mailApprovers } from './access-mail.ts'
import { storedAccess } from './access-object.ts'
import { policyOf } from './device-policy.ts'

const MINUTE_MS = 60_000
const AWAITED_SHOWN = 10

const deciders = alias(users, 'deciders')

const rows = ({ db, actor }: CallContext) =>
  db
    .select({
      accessId: remoteAccesses.id,
      deviceId: remoteAccesses.deviceId,
      deviceSn: devices.sn,
      deviceName: devices.name,
      state: remoteAccesses.state,
      reason: remoteAccesses.reason,
      minutes: remoteAccesses.minutes,
      createdAt: remoteAccesses.createdAt,
      createdBy: knownName(actor, users, remoteAccesses.userId),
      own: sql<boolean>`(${remoteAccesses.userId} = ${actor.userId})`,
      decidedAt: remoteAccesses.decidedAt,
      decidedBy: knownName(actor, deciders, remoteAccesses.decidedBy),
      note: remoteAccesses.note,
      until: remoteAccesses.until,
    })
    .from(remoteAccesses)
    .innerJoin(devices, eq(devices.id, remoteAccesses.deviceId))
    .leftJoin(users, eq(users.id, remoteAccesses.userId))
    .leftJoin(deciders, eq(deciders.id, remoteAccesses.decidedBy))

export const getAccessListHandler = listOf(getAccessList, storedAccess, (ctx) => ({
  table: remoteAccesses,
  rows: rows(ctx),
  countJoined: true,
}))

export const getDeviceAccessHandler = handler(getDeviceAccess, async (ctx) => {
  const { id } = rowOf(ctx, storedDevice)
  const [last] = await rows(ctx)
    .where(
      and(
        storedAccess.seen(visible(ctx.actor), ctx.actor),
        eq(remoteAccesses.deviceId, id),
        eq(remoteAccesses.userId, ctx.actor.userId),
      ),
    )
    .orderBy(sql`${remoteAccesses.id} desc`)
    .limit(1)
  return { required: (await policyOf(ctx.sql, id)).approval, last: last ?? null }
})

export const getAwaitedAccessHandler = handler(getAwaitedAccess, async (ctx) => {
  const awaited = await rows(ctx)
    .where(
      and(
        storedAccess.seen(visible(ctx.actor), ctx.actor),
        eq(remoteAccesses.state, 'waiting'),
        ne(remoteAccesses.userId, ctx.actor.userId),
      ),
    )
    .orderBy(asc(remoteAccesses.id))
  return {
    total: awaited.length,
    list: awaited.slice(0, AWAITED_SHOWN).map(({ accessId, deviceSn, deviceName, createdBy }) => ({
      accessId,
      deviceSn,
      deviceName,
      createdBy,
    })),
  }
})

export const askAccessHandler = handler(askAccess, async (ctx, { reason, minutes }) => {
  const device = rowOf(ctx, storedDevice)
  if (!(await policyOf(ctx.sql, device.id)).approval) refuse(remoteRefusals.accessFree)
  const wait = await ctx.parameters.get('remoteApprovalMinutes', device.customerId)
  const until = new Date(ctx.now().getTime() + wait * MINUTE_MS)
  const accessId = await ctx.sql
    .begin(async (tx) => {
      const [made] = await tx<{ id: number }[]>`
        insert into remote_accesses (device_id, customer_id, user_id, reason, minutes, created_at, until)
        values (${device.id}, ${device.customerId}, ${ctx.actor.userId}, ${reason}, ${minutes}, ${ctx.now()}, ${until})
        returning id`
      if (!made) throw new Error('insert returned nothing')
      if (mailWay(ctx.env) !== 'missing')
        await mailApprovers(tx, ctx, { deviceId: device.id, reason, minutes })
      return made.id
    })
    .catch(whenTaken({ remote_accesses_open: () => refuse(remoteRefusals.accessAsked) }))
  await wake(ctx, sendMails)
  return { accessId }
})

/** The request that waits for the actor's decision. @throws Refusal */
function awaited(ctx: CallContext) {
  const access = rowOf(ctx, storedAccess)
  if (access.userId === ctx.actor.userId) refuse(remoteRefusals.accessOwn)
  if (access.state !== 'waiting') refuse(remoteRefusals.accessDecided)
  return access
}

async function decide(
  ctx: CallContext,
  id: number,
  to: { state: AccessState; until: Date; note?: string | null },
): Promise<void> {
  const decided = await ctx.db
    .update(remoteAccesses)
    .set({ ...to, decidedAt: ctx.now(), decidedBy: ctx.actor.userId })
    .where(
      and(
        eq(remoteAccesses.id, id),
        eq(remoteAccesses.state, 'waiting'),
        sql`${remoteAccesses.until} > ${ctx.now().toISOString()}::timestamptz`,
      ),
    )
    .returning({ id: remoteAccesses.id })
  // Of two simultaneous decisions one counts.
  if (decided.length === 0) refuse(remoteRefusals.accessDecided)
  ctx.note({
    before: { state: 'waiting' },
    after: { state: to.state, ...(to.note ? { note: to.note } : {}) },
  })
}

export const approveAccessHandler = handler(approveAccess, async (ctx) => {
  const { id, minutes } = awaited(ctx)
  const until = new Date(ctx.now().getTime() + minutes * MINUTE_MS)
  await decide(ctx, id, { state: 'approved', until })
  return { until }
})

export const refuseAccessHandler = handler(refuseAccess, async (ctx, { note }) => {
  await decide(ctx, awaited(ctx).id, { state: 'refused', until: ctx.now(), note: note || null })
  return null
})

export const endAccessHandler = handler(endAccess, async (ctx) => {
  const { id, userId, state } = rowOf(ctx, storedAccess)
  const own = userId === ctx.actor.userId
  if (!own && !holds(ctx.actor, remoteApprovePermission)) refuse(sessionRefusals.noPermission)
  if (!own && state === 'waiting') refuse(remoteRefusals.accessOthers)
  const to: AccessState = state === 'waiting' ? 'withdrawn' : 'ended'
  const ended = await ctx.db
    .update(remoteAccesses)
    .set({ state: to, until: ctx.now() })
    .where(
      and(
        eq(remoteAccesses.id, id),
        eq(remoteAccesses.state, state),
        sql`${remoteAccesses.state} in ('waiting', 'approved')`,
      ),
    )
    .returning({ id: remoteAccesses.id })
  if (ended.length === 0) refuse(remoteRefusals.accessDecided)
  ctx.note({ before: { state }, after: { state: to } })
  return null
})
