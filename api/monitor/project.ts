import { and, eq, getTableColumns, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { refuse } from '#schema/kit/refusal'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import {
  addProject,
  deleteProject,
  getProjectList,
  getProjectTotals,
  modifyProject,
} from '#schema/monitor/project'
import { customers } from '#schema/tables/customer'
import { groups } from '#schema/tables/group'
import { projects } from '#schema/tables/project'
import { users } from '#schema/tables/user'
import { lockTree } from '../group/group-tree.ts'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { reachGroup } from '../kit/visible-ids.ts'
import { projectFigures } from './project-figures.ts'
import { storedProject } from './project-object.ts'

const creators = alias(users, 'creators')
const noFigures = { deviceCount: 0, onlineCount: 0, terminalCount: 0, answeringCount: 0 }

export const getProjectListHandler = listOf(
  getProjectList,
  'projects',
  ({ db, actor }) => ({
    table: projects,
    by: { ...getTableColumns(projects), groupName: groups.name, customerName: customers.name },
    rows: db
      .select({
        id: projects.id,
        name: projects.name,
        type: projects.type,
        customerId: projects.customerId,
        customerName: customers.name,
        groupId: projects.groupId,
        groupName: groups.name,
        userId: projects.userId,
        userName: knownName(actor),
        creatorName: knownName(actor, creators, projects.createdBy),
        historyDays: projects.historyDays,
        createdAt: projects.createdAt,
        edition: editionOf(storedProject.parts.main),
      })
      .from(projects)
      .innerJoin(customers, eq(customers.id, projects.customerId))
      .innerJoin(groups, eq(groups.id, projects.groupId))
      .leftJoin(users, eq(users.id, projects.userId))
      .leftJoin(creators, eq(creators.id, projects.createdBy)),
    countJoined: true,
  }),
  async (rows, ctx) => {
    const figures = await projectFigures(
      ctx,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({ ...row, ...(figures.get(row.id) ?? noFigures) }))
  },
)

/** Each device is in at most one project, because a project is a first-level group. */
export const getProjectTotalsHandler = handler(getProjectTotals, async (ctx) => {
  const seen = await ctx.db.select({ id: projects.id }).from(projects).where(visible(ctx.actor).projects)
  const figures = await projectFigures(
    ctx,
    seen.map(({ id }) => id),
  )
  const totals = { projectCount: seen.length, ...noFigures }
  for (const one of figures.values()) {
    totals.deviceCount += one.deviceCount
    totals.onlineCount += one.onlineCount
    totals.terminalCount += one.terminalCount
    totals.answeringCount += one.answeringCount
  }
  return totals
})

/** The unique indexes decide [threats 29]. */
const taken = (name: string) =>
  whenTaken({
    projects_name: () => refuse(monitorRefusals.projectNameTaken, { name }, 'name'),
    projects_group: () => refuse(monitorRefusals.groupHasProject, {}, 'groupId'),
  })

/** The responsible user belongs to the project's customer, or to the platform. @param db may be a transaction */
async function checkResponsible(
  { db, actor }: Pick<CallContext, 'actor'> & { db: Pick<CallContext['db'], 'select'> },
  userId: number | undefined,
  customerId: number,
): Promise<void> {
  if (userId === undefined) return
  const [found] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        visible(actor).users,
        eq(users.id, userId),
        or(eq(users.customerId, customerId), isNull(users.customerId)),
      ),
    )
  if (!found) refuse(monitorRefusals.responsibleOfOthers, {}, 'userId')
}

/** A project cannot keep data for longer than the platform. */
function checkHistory(days: number | undefined, max: number): void {
  if (days !== undefined && days > max) refuse(monitorRefusals.projectHistoryTooLong, { max }, 'historyDays')
}

export const addProjectHandler = handler(
  addProject,
  async (ctx, { groupId, name, type, userId, historyDays }) => {
    const { customerId } = await reachGroup(ctx, groupId)
    await checkResponsible(ctx, userId, customerId)
    checkHistory(historyDays, await ctx.parameters.get('variableDays'))
    const values = {
      customerId,
      groupId,
      name,
      type,
      userId: userId ?? null,
      historyDays: historyDays ?? null,
      createdBy: ctx.actor.userId,
    }
    const [made] = await ctx.db
      .transaction(async (tx) => {
        // The group may be moved below another meanwhile.
        await lockTree(tx, customerId)
        const [group] = await tx.select({ level: groups.level }).from(groups).where(eq(groups.id, groupId))
        if (group?.level !== 1) refuse(monitorRefusals.groupNotFirstLevel, {}, 'groupId')
        return tx.insert(projects).values(values).returning({ id: projects.id })
      })
      .catch(taken(name))
    if (!made) throw new Error('insert returned nothing')
    return made
  },
)

export const modifyProjectHandler = handler(
  modifyProject,
  async (ctx, { id, edition, name, type, userId, historyDays }) => {
    const { customerId } = rowOf(ctx, storedProject)
    // Before the transaction, which must not wait for another connection.
    const maxDays = await ctx.parameters.get('variableDays')
    await edit(ctx, { opened: edition }, async (tx) => {
      const [before] = await tx
        .select({ userId: projects.userId, historyDays: projects.historyDays })
        .from(projects)
        .where(eq(projects.id, id))
      // A responsible user whom the actor does not see may stay.
      if (userId !== (before?.userId ?? undefined))
        await checkResponsible({ actor: ctx.actor, db: tx }, userId, customerId)
      // The platform's retention may have been shortened meanwhile.
      if (historyDays !== (before?.historyDays ?? undefined)) checkHistory(historyDays, maxDays)
      await tx
        .update(projects)
        .set({
          name,
          type,
          userId: userId ?? null,
          historyDays: historyDays ?? null,
          updatedAt: sql`now()`,
        })
        .where(eq(projects.id, id))
    }).catch(taken(name))
    return null
  },
)

export const deleteProjectHandler = handler(deleteProject, async (ctx) => {
  await ctx.db.delete(projects).where(eq(projects.id, rowOf(ctx, storedProject).id))
  return null
})
