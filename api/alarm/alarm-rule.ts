import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import { factsOf, severities } from '#schema/alarm/alarm-kind'
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
import { deviceRefusals } from '#schema/device/device-refusals'
import { refuse } from '#schema/kit/refusal'
import { alarms } from '#schema/tables/alarm'
import { alarmChannels } from '#schema/tables/alarm-channel'
import {
  alarmRuleChannels,
  alarmRuleContacts,
  alarmRuleDevices,
  alarmRuleGroups,
  alarmRules,
} from '#schema/tables/alarm-rule'
import { contacts } from '#schema/tables/contact'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { visible } from '../kit/scope.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { examinedMax, firedLastWeek } from './alarm-preview.ts'
import { ownRule, storedAlarmRule } from './alarm-rule-object.ts'
import { aboutDevices, changeableRule, coveredBy } from './alarm-scope.ts'
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
export const severityOrder = sql`array_position(array[${sql.join(
  severities.map((one) => sql`${one}`),
  sql`, `,
)}], ${alarmRules.severity})`
export const receiverNames = sql<string[]>`array(
  select ${contacts.name} from ${alarmRuleContacts} join ${contacts} on ${contacts.id} = ${alarmRuleContacts.contactId} where ${alarmRuleContacts.ruleId} = ${alarmRules.id}
  union all select ${alarmChannels.name} from ${alarmRuleChannels} join ${alarmChannels} on ${alarmChannels.id} = ${alarmRuleChannels.channelId} where ${alarmRuleChannels.ruleId} = ${alarmRules.id})`
export const activeOf = (actor: CallContext['actor']) =>
  sql<number>`(select count(*)::int from ${alarms} where ${alarms.ruleId} = ${alarmRules.id} and ${alarms.endedAt} is null and ${visible(actor).alarms})`
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
      toUsers: alarmRules.toUsers,
      quietFrom: alarmRules.quietFrom,
      quietTo: alarmRules.quietTo,
      timeZone: alarmRules.timeZone,
      language: alarmRules.language,
      alertText: alarmRules.alertText,
      recoveryText: alarmRules.recoveryText,
      edition: editionOf(storedAlarmRule.parts.main),
    })
    .from(alarmRules)
    .innerJoin(customers, eq(customers.id, alarmRules.customerId))
    .where(and(visible(actor).alarmRules, aboutDevices, eq(alarmRules.id, body.ruleId)))
  if (!rule) refuse(alarmRefusals.alarmRuleGone)
  const [inGroups, ofDevices, receivers, ways] = await Promise.all([
    db
      .select({ id: groups.id, name: groups.name })
      .from(alarmRuleGroups)
      .innerJoin(groups, eq(groups.id, alarmRuleGroups.groupId))
      .where(and(eq(alarmRuleGroups.ruleId, rule.id), visible(actor).groups)),
    db
      .select({ id: devices.id, name: devices.name })
      .from(alarmRuleDevices)
      .innerJoin(devices, eq(devices.id, alarmRuleDevices.deviceId))
      .where(and(eq(alarmRuleDevices.ruleId, rule.id), visible(actor).devices)),
    db
      .select({ id: alarmRuleContacts.contactId })
      .from(alarmRuleContacts)
      .where(eq(alarmRuleContacts.ruleId, rule.id)),
    db
      .select({ id: alarmRuleChannels.channelId })
      .from(alarmRuleChannels)
      .where(eq(alarmRuleChannels.ruleId, rule.id)),
  ])
  return {
    ...rule,
    groups: inGroups,
    devices: ofDevices,
    contactIds: receivers.map(({ id }) => id),
    channelIds: ways.map(({ id }) => id),
  }
})

const taken = (name: string) =>
  whenTaken({ alarm_rules_name: () => refuse(deviceRefusals.nameTaken, { name }, 'name') })

export const createAlarmRuleHandler = handler(createAlarmRule, async (ctx, body) => {
  const customerId = ownerOf(ctx)
  const id = await storeRule(ctx, customerId, null, body).catch(taken(body.name))
  return { id }
})

export const updateAlarmRuleHandler = handler(updateAlarmRule, async (ctx, body) => {
  const before = ownRule(ctx)
  await storeRule(ctx, before.customerId, before, body).catch(taken(body.name))
  return null
})

export const enableAlarmRuleHandler = handler(enableAlarmRule, async (ctx, body) => {
  const { id } = ownRule(ctx)
  await edit(ctx, {}, (tx) =>
    tx.update(alarmRules).set({ enabled: body.enabled, updatedAt: ctx.now() }).where(eq(alarmRules.id, id)),
  )
  return null
})

export const deleteAlarmRuleHandler = handler(deleteAlarmRule, async (ctx) => {
  const { id } = ownRule(ctx)
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(alarms)
      .set({ endedAt: ctx.now(), endReason: 'ruleOff', notified: 'all' })
      .where(and(eq(alarms.ruleId, id), sql`${alarms.endedAt} is null`))
    await tx.delete(alarmRules).where(eq(alarmRules.id, id))
  })
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
