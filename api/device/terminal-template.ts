/** The collection templates that a terminal can have: those of its gateway's customer. */
import { and, asc, eq, ilike, sql } from 'drizzle-orm'
import { getTemplateLoss, getTerminalTemplates, NOTICES_SHOWN } from '#schema/device/terminal'
import { refuse } from '#schema/kit/refusal'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { absent } from '#schema/people/session-refusals'
import { alarmConditions, alarmRules } from '#schema/tables/alarm-rule'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { type CallContext, handler } from '../kit/handler.ts'
import { contains } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { reachDevice } from '../kit/visible-ids.ts'
import { noticeCovers } from '../monitor/notice-cover.ts'

const TEMPLATES_SHOWN = 100
export const getTerminalTemplatesHandler = handler(
  getTerminalTemplates,
  async (ctx, { deviceId, search }) => {
    if (deviceId !== undefined) await reachDevice(ctx, deviceId)
    const list = await ctx.db
      .select({
        id: collectionTemplates.id,
        name: collectionTemplates.name,
        type: collectionTemplates.type,
        customerName: customers.name,
        variableCount: sql<number>`(select count(*)::int from ${variables} where ${variables.templateId} = ${collectionTemplates.id})`,
        slaveCount: sql<number>`(select count(*)::int from ${variables} where ${variables.templateId} = ${collectionTemplates.id}
          and ${variables.ioController} = 'modbus' and not ${variables.hidden})`,
      })
      .from(collectionTemplates)
      .innerJoin(customers, eq(customers.id, collectionTemplates.customerId))
      .where(
        and(
          visible(ctx.actor).collectionTemplates,
          deviceId === undefined
            ? undefined
            : sql`${collectionTemplates.customerId} = (select d.customer_id from devices d where d.id = ${deviceId})`,
          search ? ilike(collectionTemplates.name, contains(search)) : undefined,
        ),
      )
      .orderBy(asc(collectionTemplates.name), asc(collectionTemplates.id))
      .limit(TEMPLATES_SHOWN)
    return { list }
  },
)

/** The template is that which the terminal has now. */
export const getTemplateLossHandler = handler(getTemplateLoss, async ({ db, actor }, { id }) => {
  const seen = visible(actor)
  const [found] = await db
    .select({
      variables: sql<number>`(select count(*)::int from variable_latest l join variables v on v.slot = l.slot
        where v.template_id = ${terminals.templateId} and l.terminal_id = ${terminals.id} and l.at >= ${terminals.templateSince})`,
    })
    .from(terminals)
    .innerJoin(devices, eq(devices.id, terminals.deviceId))
    .where(and(seen.terminals, eq(terminals.id, id)))
  if (!found) refuse(absent, {}, 'id')
  const notices = await db
    .selectDistinct({ name: alarmRules.name })
    .from(alarmRules)
    .innerJoin(alarmConditions, eq(alarmConditions.ruleId, alarmRules.id))
    .innerJoin(variables, eq(variables.id, alarmConditions.variableId))
    .innerJoin(terminals, eq(terminals.templateId, variables.templateId))
    .innerJoin(devices, eq(devices.id, terminals.deviceId))
    .where(and(seen.alarmRules, eq(terminals.id, id), noticeCovers))
    .orderBy(asc(alarmRules.name))
    .limit(NOTICES_SHOWN)
  return { variables: found.variables, notices: notices.map(({ name }) => name) }
})

/** The template belongs to the customer of the gateway. @throws Refusal 5 unless the actor may see it, 457 if it does not */
export async function checkTemplate(
  { db, actor }: Pick<CallContext, 'actor'> & { db: Pick<CallContext['db'], 'select'> },
  { deviceId, templateId }: { deviceId: number; templateId: number },
): Promise<void> {
  const [found] = await db
    .select({ own: sql<boolean>`${collectionTemplates.customerId} = ${devices.customerId}` })
    .from(collectionTemplates)
    .innerJoin(devices, eq(devices.id, deviceId))
    .where(and(visible(actor).collectionTemplates, eq(collectionTemplates.id, templateId)))
  if (!found) refuse(absent)
  if (!found.own) refuse(monitorRefusals.templateOfOtherCustomer, {}, 'templateId')
}
