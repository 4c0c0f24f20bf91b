/** The choices that the form of a notice offers. */
import { and, eq, ilike, or, sql } from 'drizzle-orm'
import { getNoticeTerminals, getNoticeVariables } from '#schema/monitor/variable-notice'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { handler } from '../kit/handler.ts'
import { ownerOf } from '../kit/owner.ts'
import { contains } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'

const SHOWN = 50

export const getNoticeVariablesHandler = handler(getNoticeVariables, async (ctx, { search, variableId }) => ({
  list: await ctx.db
    .select({
      id: variables.id,
      name: variables.name,
      unit: variables.unit,
      templateName: collectionTemplates.name,
      reportType: variables.reportType,
      cycleS: variables.cycleS,
      hasNumber: sql<boolean>`${variables.dataType} <> 'text'`,
    })
    .from(variables)
    .innerJoin(collectionTemplates, eq(collectionTemplates.id, variables.templateId))
    .where(
      and(
        visible(ctx.actor).own(collectionTemplates.customerId),
        eq(collectionTemplates.customerId, ownerOf(ctx)),
        // A user confined to groups is offered only the variables of visible terminals.
        ctx.actor.groupIds === null
          ? undefined
          : sql`exists (select 1 from ${terminals} join ${devices} on ${devices.id} = ${terminals.deviceId}
              where ${terminals.templateId} = ${variables.templateId} and ${visible(ctx.actor).terminals})`,
        search
          ? or(
              ilike(variables.name, contains(search)),
              ilike(collectionTemplates.name, contains(search)),
              variableId === undefined ? undefined : eq(variables.id, variableId),
            )
          : undefined,
      ),
    )
    .orderBy(
      sql`${variables.id} is not distinct from ${variableId ?? null}::int desc`,
      collectionTemplates.name,
      variables.slot,
    )
    .limit(SHOWN),
}))

export const getNoticeTerminalsHandler = handler(getNoticeTerminals, async (ctx, { variableId, search }) => ({
  list: await ctx.db
    .select({ id: terminals.id, name: terminals.name, deviceName: devices.name })
    .from(terminals)
    .innerJoin(devices, eq(devices.id, terminals.deviceId))
    .innerJoin(variables, eq(variables.templateId, terminals.templateId))
    .where(
      and(
        visible(ctx.actor).terminals,
        eq(variables.id, variableId),
        search
          ? or(ilike(terminals.name, contains(search)), ilike(devices.name, contains(search)))
          : undefined,
      ),
    )
    .orderBy(terminals.name, terminals.id)
    .limit(SHOWN),
}))
