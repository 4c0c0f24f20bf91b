import { and, asc, count, countDistinct, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import { hashSecret, makeSecret } from '#infra/secrets'
import { groupRefusals } from '#schema/group/group-refusals'
import {
  addN2nServer,
  deleteN2nServer,
  getN2nServer,
  listN2nServer,
  modifyN2nServer,
  n2nServerObject,
  rotateN2nToken,
  updateGroupInfo,
} from '#schema/group/n2n-server'
import { refuse } from '#schema/kit/refusal'
import { absent } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { n2nServers } from '#schema/tables/n2n-server'
import { rowOf, tell } from '../kit/about.ts'
import { amongIds } from '../kit/among-ids.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { stored } from '../kit/stored.ts'
import { isReferenced, whenTaken } from '../kit/unique-violation.ts'
import { storedGroup } from './group-object.ts'

export const storedN2nServer = stored({
  object: n2nServerObject,
  table: n2nServers,
  id: n2nServers.id,
  name: n2nServers.name,
  seen: (walls) => walls.n2nServers,
  row: () => getTableColumns(n2nServers),
  parts: {
    main: {
      table: n2nServers,
      id: n2nServers.id,
      fields: {
        name: n2nServers.name,
        address: n2nServers.address,
        port: n2nServers.port,
        version: n2nServers.version,
        managementPort: n2nServers.managementPort,
        managementAddress: n2nServers.managementAddress,
      },
    },
  },
})

/** Groups and devices that each server serves; a device counts for the server of its group. */
const uses = ({ db }: CallContext) =>
  db
    .select({
      serverId: groups.n2nServerId,
      groups: countDistinct(groups.id).as('group_total'),
      devices: count(devices.id).as('device_total'),
    })
    .from(groups)
    .leftJoin(devices, and(eq(devices.groupId, groups.id), isNull(devices.deletedAt)))
    .where(sql`${groups.n2nServerId} is not null`)
    .groupBy(groups.n2nServerId)
    .as('uses')

function rows(ctx: CallContext) {
  const used = uses(ctx)
  return ctx.db
    .select({
      id: n2nServers.id,
      name: n2nServers.name,
      address: n2nServers.address,
      port: n2nServers.port,
      version: n2nServers.version,
      managementPort: n2nServers.managementPort,
      managementAddress: n2nServers.managementAddress,
      groupTotal: sql<number>`coalesce(${used.groups}, 0)`.mapWith(Number),
      deviceTotal: sql<number>`coalesce(${used.devices}, 0)`.mapWith(Number),
      createTime: n2nServers.createdAt,
      up: n2nServers.up,
      edges: n2nServers.edges,
      checkedAt: n2nServers.checkedAt,
      lastSeenAt: n2nServers.lastSeenAt,
      startedAt: n2nServers.startedAt,
      checkError: n2nServers.checkError,
      fetchedAt: n2nServers.fetchedAt,
      edition: editionOf(storedN2nServer.parts.main),
    })
    .from(n2nServers)
    .leftJoin(used, eq(used.serverId, n2nServers.id))
    .$dynamic()
}

export const listN2nServerHandler = listOf(listN2nServer, 'n2nServers', (ctx) => ({
  table: n2nServers,
  rows: rows(ctx),
}))

export const getN2nServerHandler = handler(getN2nServer, async (ctx, { serverId }) => {
  const [server] = await rows(ctx).where(and(visible(ctx.actor).n2nServers, eq(n2nServers.id, serverId)))
  if (!server) refuse(absent)
  const served = await ctx.db
    .select({
      n2nInfoId: groups.id,
      groupName: groups.name,
      customerName: customers.name,
      account: groups.remoteAccount,
      deviceTotal: count(devices.id),
      remoteLogins: groups.remoteLogins,
    })
    .from(groups)
    .innerJoin(customers, eq(customers.id, groups.customerId))
    .leftJoin(devices, and(eq(devices.groupId, groups.id), isNull(devices.deletedAt)))
    .where(and(visible(ctx.actor).groups, eq(groups.n2nServerId, serverId)))
    .groupBy(groups.id, customers.id)
    .orderBy(asc(customers.name), asc(groups.name))
  return { ...server, groups: served }
})

const urlOf = (ctx: CallContext, id: number) => `${ctx.env.PUBLIC_URL}/n2n/${id}/community.list`

/** [§5 N2n] The unique index decides which server has a port. */
const taken = ({ port }: { port: number }) =>
  whenTaken({ n2n_servers_port_unique: () => refuse(groupRefusals.n2nPortTaken, { port }, 'port') })

export const addN2nServerHandler = handler(addN2nServer, async (ctx, body) => {
  const token = makeSecret()
  const [made] = await ctx.db
    .insert(n2nServers)
    .values({ ...body, tokenHash: hashSecret(token), createdBy: ctx.actor.userId })
    .returning({ id: n2nServers.id })
    .catch(taken(body))
  if (!made) throw new Error('insert returned nothing')
  return { id: made.id, token, url: urlOf(ctx, made.id) }
})

export const modifyN2nServerHandler = handler(
  modifyN2nServer,
  async (ctx, { serverId, edition, ...body }) => {
    const before = rowOf(ctx, storedN2nServer)
    const managementPort = body.managementPort ?? null
    const managementAddress = body.managementAddress ?? null
    const elsewhere =
      before.address !== body.address ||
      before.managementPort !== managementPort ||
      before.managementAddress !== managementAddress
    // The state observed at another address does not apply to this one.
    const unknown = {
      up: null,
      edges: null,
      checkedAt: null,
      lastSeenAt: null,
      startedAt: null,
      checkError: null,
    }
    await edit(ctx, { opened: edition }, async (tx) => {
      await tx
        .update(n2nServers)
        .set({ ...body, managementPort, managementAddress, ...(elsewhere ? unknown : {}) })
        .where(eq(n2nServers.id, serverId))
      if (elsewhere)
        await tx.update(groups).set({ remoteLogins: null }).where(eq(groups.n2nServerId, serverId))
    }).catch(taken(body))
    return null
  },
)

export const deleteN2nServerHandler = handler(deleteN2nServer, async (ctx, { serverId }) => {
  const read = async () => {
    const [server] = await rows(ctx).where(and(visible(ctx.actor).n2nServers, eq(n2nServers.id, serverId)))
    return server ?? refuse(absent)
  }
  const inUse = ({ groupTotal, deviceTotal }: Awaited<ReturnType<typeof read>>) =>
    refuse(groupRefusals.n2nServerInUse, { groups: groupTotal, devices: deviceTotal })
  const server = await read()
  if (server.groupTotal > 0) inUse(server)
  await ctx.db
    .delete(n2nServers)
    .where(eq(n2nServers.id, serverId))
    .catch(async (error: unknown) => {
      // Counted again: a group has got it meanwhile.
      if (isReferenced(error)) inUse(await read())
      throw error
    })
  ctx.note({ before: { up: server.up, edges: server.edges } })
  return null
})

export const rotateN2nTokenHandler = handler(rotateN2nToken, async (ctx, { serverId }) => {
  const token = makeSecret()
  await ctx.db
    .update(n2nServers)
    .set({ tokenHash: hashSecret(token) })
    .where(eq(n2nServers.id, serverId))
  return { id: serverId, token, url: urlOf(ctx, serverId) }
})

export const updateGroupInfoHandler = handler(updateGroupInfo, async (ctx, body) => {
  const { db, actor } = ctx
  const [server] =
    body.serverId === 0
      ? [null]
      : await db
          .select({ id: n2nServers.id, name: n2nServers.name, port: n2nServers.port })
          .from(n2nServers)
          .where(and(visible(actor).n2nServers, eq(n2nServers.id, body.serverId)))
  if (server === undefined) refuse(absent)
  if (server && body.port !== undefined && body.port !== server.port)
    refuse(groupRefusals.n2nPortOther, { port: server.port }, 'port')
  const ids = [...new Set(body.n2nInfoIds)]
  const changed = await db.transaction(async (tx) => {
    const found = await tx
      .select({ id: groups.id, serverId: groups.n2nServerId })
      .from(groups)
      .where(and(visible(actor).groups, amongIds(groups.id, ids)))
      .orderBy(groups.id)
      .for('no key update')
    // All or none: an unknown id changes nothing.
    if (found.length < ids.length) refuse(absent)
    const serverId = server?.id ?? null
    const same = sql`${groups.n2nServerId} is not distinct from ${serverId}::int`
    const remoteLogins = sql`case when ${same} then ${groups.remoteLogins} end`
    const rows = await tx
      .update(groups)
      .set({ n2nServerId: serverId, remoteLogins, updatedAt: ctx.now() })
      .where(inArray(groups.id, ids))
      .returning({
        id: groups.id,
        name: groups.name,
        customerId: groups.customerId,
        edition: editionOf(storedGroup.parts.main),
      })
    const other = new Set(found.filter((one) => one.serverId !== serverId).map(({ id }) => id))
    return rows.map(({ edition, ...group }) => ({
      ...group,
      ...(other.has(group.id) ? { editions: { main: edition } } : {}),
    }))
  })
  tell(ctx, changed)
  ctx.note({ after: { server: server?.name ?? null } })
  return { count: changed.length }
})
