import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import { factsOf } from '#schema/alarm/alarm-kind'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import {
  createAlarmRule,
  deleteAlarmRule,
  enableAlarmRule,
  getAlarmRule,
  getAlarmRuleList,
  previewAlarmRule,
  updateAlarmRule,
} from '#schema/alarm/alarm-rule'
import { refuse } from '#schema/kit/refusal'
import { alarmRuleDevices, alarmRuleGroups, alarmRules } from '#schema/tables/alarm-rule'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { visible } from '../kit/scope.ts'
import { examinedMax, firedLastWeek } from './alarm-preview.ts'
import { ownRule, storedAlarmRule } from './alarm-rule-object.ts'
import { aboutDevices, changeableRule, coveredBy } from './alarm-scope.ts'
import {
  activeOf,
  deleteRule,
  groupsOf,
  receiverNames,
  receiversOf,
  ruleNameTaken,
  severityOrder,
  switchRule,
  toldColumns,
} from './any-rule.ts'
import { checkCondition, storeRule } from './store-rule.ts'

const WORST_MAX = 5

const columns = {
  id: alarmRules.id,
  customerId: alarmRules.customerId,
  customerName: customers.name,
  name: alarmRules.name,
  kind: alarmRules.kind,
  severity: alarmRules.severity,
  enabled: alarmRules.enabled,
  threshold: alarmRules.threshold,
  recoverAt: alarmRules.recoverAt,
  forMinutes: alarmRules.forMinutes,
  windowMinutes: alarmRules.windowMinutes,
  scope: alarmRules.scope,
  mode: alarmRules.mode,
  intervalMinutes: alarmRules.intervalMinutes,
  updatedAt: alarmRules.updatedAt,
}
/** Chosen groups are deleted, chosen devices deleted or given away: such a rule can raise no alarm any more. */
const coversNothing = sql<boolean>`case ${alarmRules.scope}
  when 'groups' then not exists (select 1 from ${alarmRuleGroups} where ${alarmRuleGroups.ruleId} = ${alarmRules.id})
  when 'devices' then not exists (select 1 from ${alarmRuleDevices} join ${devices} on ${devices.id} = ${alarmRuleDevices.deviceId}
    where ${alarmRuleDevices.ruleId} = ${alarmRules.id} and ${devices.customerId} = ${alarmRules.customerId} and ${devices.deletedAt} is null)
  else false end`

export const getAlarmRuleListHandler = listOf(getAlarmRuleList, 'alarmRules', ({ db, actor }) => ({
  table: alarmRules,
  rows: db
    .select({
      ...columns,
      activeCount: activeOf(actor),
      changeable: changeableRule(actor),
      coversNothing,
      receivers: receiverNames,
    })
    .from(alarmRules)
    .innerJoin(customers, eq(customers.id, alarmRules.customerId)),
  where: aboutDevices,
  by: { severity: severityOrder },
  filters: {
    severity: (severity) => eq(alarmRules.severity, severity),
    state: (state) => eq(alarmRules.enabled, state === 'enabled'),
  },
}))

/** [§8] "alarm rule fetch failed" */
export const getAlarmRuleHandler = handler(getAlarmRule, async (ctx, body) => {
  const { db, actor } = ctx
  const [rule] = await db
    .select({
      ...columns,
      byEmail: alarmRules.byEmail,
      ...toldColumns,
      edition: editionOf(storedAlarmRule.parts.main),
    })
    .from(alarmRules)
    .innerJoin(customers, eq(customers.id, alarmRules.customerId))
    .where(and(visible(actor).alarmRules, aboutDevices, eq(alarmRules.id, body.ruleId)))
  if (!rule) refuse(alarmRefusals.alarmRuleGone)
  const [inGroups, ofDevices, receivers] = await Promise.all([
    groupsOf(ctx, rule.id),
    db
      .select({ id: devices.id, name: devices.name })
      .from(alarmRuleDevices)
      .innerJoin(devices, eq(devices.id, alarmRuleDevices.deviceId))
      .where(and(eq(alarmRuleDevices.ruleId, rule.id), visible(actor).devices)),
    receiversOf(ctx, rule.id),
  ])
  return { ...rule, groups: inGroups, devices: ofDevices, ...receivers }
})

export const createAlarmRuleHandler = handler(createAlarmRule, async (ctx, body) => {
  const customerId = ownerOf(ctx)
  const id = await storeRule(ctx, customerId, null, body).catch(ruleNameTaken(body.name))
  return { id }
})

export const updateAlarmRuleHandler = handler(updateAlarmRule, async (ctx, body) => {
  const before = ownRule(ctx)
  await storeRule(ctx, before.customerId, before, body).catch(ruleNameTaken(body.name))
  return null
})

export const enableAlarmRuleHandler = handler(enableAlarmRule, async (ctx, body) => {
  await switchRule(ctx, ownRule(ctx).id, body.enabled)
  return null
})

export const deleteAlarmRuleHandler = handler(deleteAlarmRule, async (ctx) => {
  await deleteRule(ctx, ownRule(ctx).id)
  return null
})

async function coveredCount({ db }: CallContext, where: SQL | undefined): Promise<number> {
  const [row] = await db.select({ n: count() }).from(devices).where(where)
  return row?.n ?? 0
}

export const previewAlarmRuleHandler = handler(previewAlarmRule, async (ctx, body) => {
  const customerId = ownerOf(ctx)
  const { threshold, recoverAt } = checkCondition(body)
  const { history } = factsOf(body.kind)
  const where = coveredBy(ctx, customerId, body)
  const covered = await coveredCount(ctx, where)
  if (history === 'none') return { known: false, fired: 0, devices: 0, covered, examined: 0, worst: [] }
  const read = await ctx.db
    .select({ id: devices.id, sn: devices.sn, name: devices.name })
    .from(devices)
    .where(where)
    .orderBy(devices.id)
    .limit(examinedMax[history])
  const fired = await firedLastWeek(
    ctx,
    {
      kind: body.kind,
      threshold: threshold ?? 0,
      recoverAt: recoverAt ?? threshold ?? 0,
      forMinutes: body.forMinutes,
    },
    read.map(({ id }) => id),
  )
  const byId = new Map(read.map((device) => [device.id, device]))
  const worst = fired
    .toSorted((a, b) => b.fired - a.fired)
    .slice(0, WORST_MAX)
    .map(({ deviceId, fired: n }) => ({
      sn: byId.get(deviceId)?.sn ?? '',
      name: byId.get(deviceId)?.name ?? '',
      fired: n,
    }))
  return {
    known: true,
    fired: fired.reduce((sum, row) => sum + row.fired, 0),
    devices: fired.length,
    covered,
    examined: read.length,
    worst,
  }
})
