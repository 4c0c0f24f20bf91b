/** Computes the columns of a group's remote account from a change. */

import { and, eq } from 'drizzle-orm'
import { n2nPublicKey } from '#infra/group/n2n-key'
import { ifReadable, seal, unseal } from '#infra/secrets'
import type { modifyGroupName } from '#schema/group/group'
import { groupRefusals } from '#schema/group/group-refusals'
import { n2nUserName, remoteDefault } from '#schema/group/group-remote'
import { n2nServerEditPermission } from '#schema/group/n2n-server'
import type { ParsedBodyOf } from '#schema/kit/call'
import { isHostAddress } from '#schema/kit/network-rules'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import type { groups } from '#schema/tables/group'
import { n2nServers } from '#schema/tables/n2n-server'
import { holds } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import type { Queries } from './group-tree.ts'

type Group = typeof groups.$inferSelect
type Wanted = ParsedBodyOf<typeof modifyGroupName>

export const noRemote = {
  remoteAccount: null,
  remotePassword: null,
  remoteKey: null,
  remoteIp: null,
  maskBits: null,
  bridged: false,
  loginType: 'disallow',
  loginNum: 1,
  remoteLogins: null,
} as const

/** The account, its encrypted password, and the key for supernodes; the three belong together. */
function credentials(ctx: CallContext, before: Group, body: Wanted) {
  const account = body.name ?? before.remoteAccount
  if (account === null) {
    if (body.password !== undefined) refuse(groupRefusals.remoteAccountNone, {}, 'name')
    return {}
  }
  const sealed = before.remotePassword
  if (account === before.remoteAccount && body.password === undefined && sealed !== null) return {}
  const secret = ctx.env.JWT_SECRET
  // One that nobody can read any more is as none: it has to be given again.
  const password = body.password ?? (sealed === null ? null : ifReadable(() => unseal(sealed, secret)))
  if (password === null) refuse(groupRefusals.remoteNeedsPassword, {}, 'password')
  return {
    remoteAccount: account,
    remotePassword: seal(password, secret),
    remoteKey: n2nPublicKey(n2nUserName(account), password),
    // Another account is another community: nothing is known about its edges yet.
    ...(account === before.remoteAccount ? {} : { remoteLogins: null }),
  }
}

/** [§4] The bridging toggle resets the remote IP, unless the same change names another one. */
function addressing(before: Group, body: Wanted, hasAccount: boolean) {
  const bridged = body.n2nInfoBridge ?? before.bridged
  const fallback = remoteDefault(bridged)
  const toggled = bridged !== before.bridged
  const kept = (was: string | number | null, given: string | number | undefined) =>
    toggled ? (given === was ? undefined : given) : (given ?? was ?? undefined)
  const ip = kept(before.remoteIp, body.ip) ?? (toggled || hasAccount ? fallback.ip : null)
  const bits = kept(before.maskBits, body.n2nIfnoMaskbit) ?? (ip === null ? null : fallback.maskBits)
  if (ip !== null && !isHostAddress(String(ip), Number(bits))) refuse(groupRefusals.remoteIpNotHost, {}, 'ip')
  return {
    bridged,
    remoteIp: ip === null ? null : String(ip),
    maskBits: bits === null ? null : Number(bits),
  }
}

/** Only the installation decides which supernode serves a group. */
async function serving(tx: Queries, ctx: CallContext, before: Group, wanted: number | undefined) {
  const serverId = wanted === undefined ? before.n2nServerId : wanted === 0 ? null : wanted
  if (serverId === before.n2nServerId) return {}
  if (!holds(ctx.actor, n2nServerEditPermission)) refuse(sessionRefusals.noPermission)
  if (serverId !== null) {
    const [server] = await tx
      .select({ id: n2nServers.id })
      .from(n2nServers)
      .where(and(visible(ctx.actor).n2nServers, eq(n2nServers.id, serverId)))
    if (!server) refuse(sessionRefusals.noPermission)
  }
  return { n2nServerId: serverId, remoteLogins: null }
}

/** The columns of the remote account after a change. @throws Refusal naming the invalid field. */
export async function remoteOf(tx: Queries, ctx: CallContext, before: Group, body: Wanted) {
  const loginType = body.loginType ?? before.loginType
  return {
    ...credentials(ctx, before, body),
    ...addressing(before, body, (body.name ?? before.remoteAccount) !== null),
    loginType,
    loginNum: loginType === 'disallow' ? 1 : (body.loginNum ?? before.loginNum),
    ...(await serving(tx, ctx, before, body.groupServiceDistribution)),
  }
}
