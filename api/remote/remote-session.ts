import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { openTunnel } from '#schema/remote/open-tunnel'
import {
  isBehind,
  isPageKind,
  type RemoteKind,
  type RemoteTarget,
  remoteLanPermission,
  remoteOperationPermission,
  targetOf,
} from '#schema/remote/remote-access'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import {
  closeRemote,
  extendRemote,
  forceRemote,
  getOwnRemote,
  getRemote,
  getRemoteList,
  getRemoteTicket,
  getWatchTicket,
  openRemote,
  openRemoteForward,
  openRemoteLan,
  PER_DEVICE_MAX,
  PER_USER_MAX,
} from '#schema/remote/remote-session'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { remoteSessions } from '#schema/tables/remote'
import { users } from '#schema/tables/user'
import { orderDevice } from '../command/order-command.ts'
import { storedDevice } from '../device/device-object.ts'
import { rowOf } from '../kit/about.ts'
import { holds } from '../kit/actor.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { approvedUntil, mayReach, policyOf } from './device-policy.ts'
import { lockSessionsOf, refuseInUse } from './in-use.ts'
import { leadsToShell } from './own-address.ts'
import { endRemote } from './remote-end.ts'
import { storedRemoteSession } from './remote-object.ts'
import { sentAt, shownColumns } from './remote-shown.ts'
import { makeTicket, type Ticket, webUrl } from './ticket.ts'
import { heldTunnel } from './tunnels.ts'

const MINUTE_MS = 60_000
/** The port named in the forwarding requests of devices; the SSH server does not actually open it. */
const LISTEN_PORT = 2200

/** A machine behind the device requires a separate permission, besides function 90. */
function refuseUnlessMay({ actor }: CallContext, target: { host: string }): void {
  const may =
    holds(actor, remoteOperationPermission) && (!isBehind(target) || holds(actor, remoteLanPermission))
  if (!may) refuse(sessionRefusals.noPermission)
}

/**
 * When a session that begins or is extended now ends: with its approval where the device's group demands one.
 * @throws Refusal 473 without an approval, 479 if the target is not allowed
 */
async function lastsUntil(
  ctx: CallContext,
  device: { id: number; customerId: number },
  target: { host: string; port: number },
): Promise<Date> {
  const minutes = await ctx.parameters.get('remoteMaxMinutes', device.customerId)
  const longest = new Date(ctx.now().getTime() + minutes * MINUTE_MS)
  const policy = await policyOf(ctx.sql, device.id)
  if (!mayReach(policy, target)) refuse(remoteRefusals.remoteTarget, {}, 'host')
  if (!policy.approval) return longest
  const approved = await approvedUntil(ctx.sql, device.id, ctx.actor.userId, ctx.now())
  if (approved === null) refuse(remoteRefusals.accessNeeded, {}, 'deviceId')
  return approved < longest ? approved : longest
}

async function openSession(
  ctx: CallContext,
  kind: RemoteKind,
  target: RemoteTarget,
): Promise<{ sessionId: string; commandId: string }> {
  if (ctx.env.SSH_PORT === 0) refuse(remoteRefusals.remoteOff)
  if (isPageKind(kind) && ctx.env.REMOTE_URL === null) refuse(remoteRefusals.remoteWebOff)
  refuseUnlessMay(ctx, target)
  const most = { perDevice: PER_DEVICE_MAX, perUser: PER_USER_MAX }
  // Checked first, because "device busy" because of the other user's command would say less.
  await refuseInUse(ctx, ctx.db, rowOf(ctx, storedDevice).id, most)
  const expiresAt = await lastsUntil(ctx, rowOf(ctx, storedDevice), target)
  const sessionId = randomUUID()
  const args = {
    sessionId,
    listenPort: LISTEN_PORT,
    targetHost: target.host,
    targetPort: target.port,
  }
  const { commandId } = await orderDevice(ctx, openTunnel, args, async (tx, { commandId, device }) => {
    await lockSessionsOf(ctx, tx)
    await refuseInUse(ctx, tx, device.id, most)
    await tx.insert(remoteSessions).values({
      id: sessionId,
      deviceId: device.id,
      customerId: device.customerId,
      userId: ctx.actor.userId,
      loginId: ctx.actor.sessionId,
      tokenId: ctx.actor.apiToken?.id ?? null,
      commandId,
      kind,
      ...target,
      createdAt: ctx.now(),
      askedAt: ctx.now(),
      expiresAt,
    })
  })
  return { sessionId, commandId }
}

export const openRemoteHandler = handler(openRemote, (ctx, { kind, scheme, port }) =>
  openSession(ctx, kind, targetOf(kind, scheme, undefined, port)),
)

export const openRemoteLanHandler = handler(openRemoteLan, (ctx, { scheme, host, port }) =>
  openSession(ctx, 'lan', targetOf('lan', scheme, host, port)),
)

/** Refused if recording is required. The beat ends what is open already. */
async function refuseUnrecorded(ctx: CallContext, target: RemoteTarget): Promise<void> {
  if (!(await leadsToShell(ctx, rowOf(ctx, storedDevice).id, target))) return
  const [owner] = await ctx.db
    .select({ recording: customers.terminalRecording })
    .from(customers)
    .where(eq(customers.id, rowOf(ctx, storedDevice).customerId))
  if (owner?.recording === 'required') refuse(remoteRefusals.recordingRequired)
}

export const openRemoteForwardHandler = handler(openRemoteForward, async (ctx, { host, port }) => {
  const target = targetOf('forward', 'tcp', host, port)
  await refuseUnrecorded(ctx, target)
  return openSession(ctx, 'forward', target)
})

export const getRemoteHandler = handler(getRemote, async (ctx) => {
  const { id, customerId } = rowOf(ctx, storedRemoteSession)
  const [found] = await ctx.db
    .select({ ...shownColumns(ctx.actor), sentAt, recording: customers.terminalRecording })
    .from(remoteSessions)
    .innerJoin(devices, eq(devices.id, remoteSessions.deviceId))
    .innerJoin(customers, eq(customers.id, remoteSessions.customerId))
    .leftJoin(users, eq(users.id, remoteSessions.userId))
    .where(eq(remoteSessions.id, id))
  if (!found) throw new Error('the session is gone')
  const { sentAt: sent, ...row } = found
  const idleMs = (await ctx.parameters.get('remoteIdleMinutes', customerId)) * MINUTE_MS
  const since = row.activeAt ?? row.tunnelAt
  return {
    ...row,
    idleAt: since && row.endedAt === null ? new Date(since.getTime() + idleMs) : null,
    steps: [
      { step: 'requested' as const, at: row.createdAt },
      { step: 'sent' as const, at: sent },
      { step: 'tunnelUp' as const, at: row.tunnelAt },
      { step: 'ready' as const, at: row.readyAt },
    ],
  }
})

export const getOwnRemoteHandler = handler(getOwnRemote, async (ctx, { kind }) => {
  const { actor } = ctx
  const tokenId = actor.apiToken?.id
  const own = await ctx.db
    .select({ id: remoteSessions.id })
    .from(remoteSessions)
    .where(
      and(
        eq(remoteSessions.deviceId, rowOf(ctx, storedDevice).id),
        eq(remoteSessions.userId, actor.userId),
        tokenId === undefined ? isNull(remoteSessions.tokenId) : eq(remoteSessions.tokenId, tokenId),
        eq(remoteSessions.kind, kind),
        isNull(remoteSessions.endedAt),
        storedRemoteSession.seen(visible(actor), actor),
      ),
    )
    .orderBy(desc(remoteSessions.createdAt))
  const held = own.map(({ id }) => {
    const tunnel = heldTunnel(id)
    return {
      sessionId: id,
      shown: (tunnel?.pages.size ?? 0) > 0,
      shells: [...(tunnel?.shells.values() ?? [])].filter((shell) => !shell.isOver).map((shell) => shell.id),
    }
  })
  return held.find(({ shown }) => !shown) ?? held[0] ?? { sessionId: null, shown: false, shells: [] }
})

export const getRemoteListHandler = listOf(getRemoteList, storedRemoteSession, (ctx) => ({
  table: remoteSessions,
  rows: ctx.db
    .select(shownColumns(ctx.actor))
    .from(remoteSessions)
    .innerJoin(devices, eq(devices.id, remoteSessions.deviceId))
    .leftJoin(users, eq(users.id, remoteSessions.userId)),
  filters: {
    open: (asked) => (asked === 'yes' ? isNull(remoteSessions.endedAt) : isNotNull(remoteSessions.endedAt)),
  },
  countJoined: true,
}))

export const extendRemoteHandler = handler(extendRemote, async (ctx) => {
  const session = rowOf(ctx, storedRemoteSession)
  if (session.userId !== ctx.actor.userId) refuse(remoteRefusals.remoteOthers)
  const expiresAt = await lastsUntil(ctx, { id: session.deviceId, customerId: session.customerId }, session)
  const [extended] = await ctx.db
    .update(remoteSessions)
    .set({
      expiresAt,
      activeAt: sql`case when ${remoteSessions.activeAt} is null then null else ${ctx.now().toISOString()}::timestamptz end`,
    })
    .where(and(eq(remoteSessions.id, session.id), isNull(remoteSessions.endedAt)))
    .returning({ id: remoteSessions.id })
  if (!extended) refuse(remoteRefusals.remoteEnded)
  return { expiresAt }
})

/** The process that holds the tunnel notices it within a second. */
export const closeRemoteHandler = handler(closeRemote, async (ctx) => {
  const session = rowOf(ctx, storedRemoteSession)
  if (session.userId !== ctx.actor.userId) refuse(remoteRefusals.remoteOthers)
  await endRemote(ctx.sql, session.id, 'closed', null, ctx.now())
  return null
})

export const forceRemoteHandler = handler(forceRemote, async (ctx) => {
  await endRemote(ctx.sql, rowOf(ctx, storedRemoteSession).id, 'forced', null, ctx.now())
  return null
})

function ticketOf({ actor, env, now }: CallContext, sessionId: string, use: Ticket['use']): string {
  const who = { userId: actor.userId, loginId: actor.sessionId, tokenId: actor.apiToken?.id ?? null }
  return makeTicket(env.JWT_SECRET, { sessionId, use, ...who }, now().getTime())
}

export const getRemoteTicketHandler = handler(getRemoteTicket, async (ctx) => {
  const session = rowOf(ctx, storedRemoteSession)
  if (session.userId !== ctx.actor.userId) refuse(remoteRefusals.remoteOthers)
  // An API token may hold less than the login that opened the session.
  refuseUnlessMay(ctx, session)
  if (session.endedAt !== null) refuse(remoteRefusals.remoteEnded)
  if (session.state === 'requested') refuse(remoteRefusals.remoteNotReady)
  const ticket = ticketOf(ctx, session.id, 'own')
  return {
    ticket,
    url: isPageKind(session.kind) ? webUrl(ctx.env, session.id, ticket) : null,
  }
})

export const getWatchTicketHandler = handler(getWatchTicket, async (ctx) => {
  const { id: sessionId, kind, state, endedAt } = rowOf(ctx, storedRemoteSession)
  if (endedAt !== null) refuse(remoteRefusals.remoteEnded)
  if (state === 'requested' || kind !== 'terminal') refuse(remoteRefusals.remoteNotReady)
  return { ticket: ticketOf(ctx, sessionId, 'watch') }
})
