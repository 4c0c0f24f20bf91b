/** What rules about devices (alarm-rule.ts) and notices about variables (monitor/variable-notice.ts) have in common. */
import { and, eq, sql } from 'drizzle-orm'
import { severities } from '#schema/alarm/alarm-kind'
import { deviceRefusals } from '#schema/device/device-refusals'
import { refuse } from '#schema/kit/refusal'
import { alarms } from '#schema/tables/alarm'
import { alarmChannels } from '#schema/tables/alarm-channel'
import { alarmRuleChannels, alarmRuleContacts, alarmRuleGroups, alarmRules } from '#schema/tables/alarm-rule'
import { contacts } from '#schema/tables/contact'
import { groups } from '#schema/tables/group'
import { edit } from '../kit/edition.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { whenTaken } from '../kit/unique-violation.ts'

/** How it is told, as its form shows it. */
export const toldColumns = {
  toUsers: alarmRules.toUsers,
  quietFrom: alarmRules.quietFrom,
  quietTo: alarmRules.quietTo,
  timeZone: alarmRules.timeZone,
  language: alarmRules.language,
  alertText: alarmRules.alertText,
  recoveryText: alarmRules.recoveryText,
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

export const groupsOf = ({ db, actor }: CallContext, ruleId: number) =>
  db
    .select({ id: groups.id, name: groups.name })
    .from(alarmRuleGroups)
    .innerJoin(groups, eq(groups.id, alarmRuleGroups.groupId))
    .where(and(eq(alarmRuleGroups.ruleId, ruleId), visible(actor).groups))

export async function receiversOf(
  { db }: CallContext,
  ruleId: number,
): Promise<{ contactIds: number[]; channelIds: number[] }> {
  const [people, ways] = await Promise.all([
    db
      .select({ id: alarmRuleContacts.contactId })
      .from(alarmRuleContacts)
      .where(eq(alarmRuleContacts.ruleId, ruleId)),
    db
      .select({ id: alarmRuleChannels.channelId })
      .from(alarmRuleChannels)
      .where(eq(alarmRuleChannels.ruleId, ruleId)),
  ])
  return { contactIds: people.map(({ id }) => id), channelIds: ways.map(({ id }) => id) }
}

export const ruleNameTaken = (name: string) =>
  whenTaken({ alarm_rules_name: () => refuse(deviceRefusals.nameTaken, { name }, 'name') })

export const switchRule = (ctx: CallContext, id: number, enabled: boolean) =>
  edit(ctx, {}, (tx) =>
    tx.update(alarmRules).set({ enabled, updatedAt: ctx.now() }).where(eq(alarmRules.id, id)),
  )

/** Alarms searched at once: no index finds those of a rule that have ended. */
const FOUND_MAX = 100_000
/** Alarms per transaction. */
const BATCH = 5_000

/**
 * The foreign key would do this to the whole history of a rule in the statement that deletes it: with some 240,000 alarms that is not done
 * within the time limit of a statement, and the rule could never be deleted.
 */
async function detachHistory({ sql: raw }: CallContext, id: number): Promise<void> {
  for (;;) {
    const found = await raw<{ id: number }[]>`
      select id from alarms where rule_id = ${id} and ended_at is not null and notified = 'all' limit ${FOUND_MAX}`
    for (let from = 0; from < found.length; from += BATCH) {
      const ids = found.slice(from, from + BATCH).map((alarm) => alarm.id)
      await raw`update alarms set rule_id = null where id = any(${ids}::bigint[]) and ended_at is not null`
    }
    if (found.length < FOUND_MAX) return
  }
}

/** Its alarms end without a notice. */
export async function deleteRule(ctx: CallContext, id: number): Promise<void> {
  await detachHistory(ctx, id)
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(alarms)
      .set({ endedAt: ctx.now(), endReason: 'ruleOff', notified: 'all' })
      .where(and(eq(alarms.ruleId, id), sql`${alarms.endedAt} is null`))
    await tx.delete(alarmRules).where(eq(alarmRules.id, id))
  })
}
