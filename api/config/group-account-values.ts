/** What an n2n edge of a device needs to join the community of its group. */
import { and, eq } from 'drizzle-orm'
import { unseal } from '#infra/secrets'
import { groupRefusals } from '#schema/group/group-refusals'
import { n2nUserName } from '#schema/group/group-remote'
import { N2N_USERS_SINCE } from '#schema/group/n2n-server'
import { refuse } from '#schema/kit/refusal'
import { groups } from '#schema/tables/group'
import { n2nServers } from '#schema/tables/n2n-server'
import { storedDevice } from '../device/device-object.ts'
import { rowOf } from '../kit/about.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

/**
 * The account of the device's group, or of the nearest group above that has one; groups that the actor does not see are
 * ignored.
 */
async function nearestAccount(ctx: CallContext) {
  let id: number | null = rowOf(ctx, storedDevice).groupId
  while (id !== null) {
    const [group] = await ctx.db
      .select({
        parentId: groups.parentId,
        account: groups.remoteAccount,
        password: groups.remotePassword,
        bridged: groups.bridged,
        server: n2nServers,
      })
      .from(groups)
      .leftJoin(n2nServers, eq(n2nServers.id, groups.n2nServerId))
      .where(and(visible(ctx.actor).groups, eq(groups.id, id)))
    if (group?.account && group.password)
      return { ...group, account: group.account, password: group.password }
    id = group?.parentId ?? null
  }
  return refuse(groupRefusals.remoteAccountNone)
}

/** Values of the page `n2n-edge`. */
export async function groupAccountValues(ctx: CallContext) {
  const { account, password: sealed, bridged, server } = await nearestAccount(ctx)
  if (!server) refuse(groupRefusals.remoteServerNone)
  const password = unseal(sealed, ctx.env.JWT_SECRET)
  const knowsUsers = server.version >= N2N_USERS_SINCE
  return {
    enabled: true,
    supernode: server.address,
    port: server.port,
    community: account,
    // The command that the console shows for other edges has the same key.
    key: password,
    user: knowsUsers ? n2nUserName(account) : '',
    password: knowsUsers ? password : '',
    // In a bridged group the LAN behind the gateway assigns the address.
    mode: knowsUsers && !bridged ? 'supernode' : 'dhcp',
  }
}
