/** Checking and storing a rule with its scope and receivers. */

import { and, eq, inArray } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { type AlarmKind, factsOf, isRecoverySide } from '#schema/alarm/alarm-kind'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import type { createAlarmRule } from '#schema/alarm/alarm-rule'
import { textsOf } from '#schema/alarm/alarm-text'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import type { Say } from '#schema/kit/say'
import { sessionRefusals } from '#schema/people/session-refusals'
import { alarmChannels } from '#schema/tables/alarm-channel'
import {
  alarmRuleChannels,
  alarmRuleContacts,
  alarmRuleDevices,
  alarmRuleGroups,
  alarmRules,
} from '#schema/tables/alarm-rule'
import { contacts } from '#schema/tables/contact'
import { edit } from '../kit/edition.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import type { KnownRule } from './alarm-rule-object.ts'
import { reachScope } from './alarm-scope.ts'

type RuleBody = Omit<ParsedBodyOf<typeof createAlarmRule>, 'customerId'> & { edition?: string | undefined }
type Condition = Pick<RuleBody, 'kind' | 'threshold' | 'recoverAt' | 'forMinutes' | 'windowMinutes'>
/** Name and receivers: what every rule has, whatever it watches. */
export type NoticeBody = Omit<RuleBody, 'kind' | 'scope' | 'groupIds' | 'deviceIds' | keyof Condition>

/**
 * The values that belong to the kind; others are dropped. @throws Refusal 242 outside the kind's bounds, 241 if the
 * recovery threshold is on the wrong side.
 */
export function checkCondition(body: Omit<Condition, 'kind'> & { kind: AlarmKind }) {
  const facts = factsOf(body.kind)
  if (facts.shape !== 'level') return { threshold: null, recoverAt: null, forMinutes: 0, windowMinutes: null }
  const { min = 0, max = 0 } = facts
  const inBounds = (value: number) => value >= min && value <= max
  const { threshold } = body
  if (threshold === undefined || !inBounds(threshold) || (facts.timed && !Number.isInteger(threshold)))
    refuse(alarmRefusals.thresholdRange, { min, max }, 'threshold')
  const recoverAt = facts.timed || body.recoverAt === undefined ? null : body.recoverAt
  // What no measurement can reach would never end an alarm. A count may also recover at less than is worth an alarm.
  const least = facts.windowed ? 0 : min
  if (recoverAt !== null && (recoverAt < least || recoverAt > max))
    refuse(alarmRefusals.thresholdRange, { min: least, max }, 'recoverAt')
  if (recoverAt !== null && !isRecoverySide(body.kind, threshold, recoverAt))
    refuse(alarmRefusals.recoverySide, {}, 'recoverAt')
  if (facts.windowed && body.windowMinutes === undefined)
    refuse(alarmRefusals.thresholdRange, { min: 1, max: 1440 }, 'windowMinutes')
  return {
    threshold,
    recoverAt,
    forMinutes: facts.timed ? 0 : body.forMinutes,
    windowMinutes: facts.windowed ? (body.windowMinutes ?? null) : null,
  }
}

/** Receivers must belong to the customer. */
async function reachReceivers({ db, actor }: CallContext, customerId: number, body: NoticeBody) {
  const contactIds = [...new Set(body.contactIds)]
  const channelIds = [...new Set(body.channelIds)]
  const people = await db
    .select({ id: contacts.id })
    .from(contacts)
    .where(
      and(visible(actor).contacts, eq(contacts.customerId, customerId), inArray(contacts.id, contactIds)),
    )
  const ways = await db
    .select({ id: alarmChannels.id })
    .from(alarmChannels)
    .where(
      and(
        visible(actor).alarmChannels,
        eq(alarmChannels.customerId, customerId),
        inArray(alarmChannels.id, channelIds),
      ),
    )
  if (people.length < contactIds.length || ways.length < channelIds.length)
    refuse(sessionRefusals.noPermission)
  return { contactIds, channelIds }
}

type Transaction = Parameters<Parameters<CallContext['db']['transaction']>[0]>[0]
type Texts = { alert: string; recovery: string }
/** What the rule watches; `link` stores the rows that belong to it. */
export type Watch = Pick<typeof alarmRules.$inferInsert, 'kind' | 'scope'> &
  Partial<
    Pick<
      typeof alarmRules.$inferInsert,
      'threshold' | 'recoverAt' | 'forMinutes' | 'forSeconds' | 'windowMinutes'
    >
  >
export type Links = (tx: Transaction, ruleId: number) => Promise<void>

/** Stores a new rule (`before` null) or a changed one with its receivers; returns its id. */
export async function storeNotice(
  ctx: CallContext,
  customerId: number,
  before: Pick<KnownRule, 'id' | 'language'> | null,
  body: NoticeBody,
  { watch, textsIn, link }: { watch: Watch; textsIn: (say: Say) => Texts; link: Links },
): Promise<number> {
  const { contactIds, channelIds } = await reachReceivers(ctx, customerId, body)
  if (body.mode === 'repeat' && body.intervalMinutes === undefined)
    refuse(alarmRefusals.intervalMissing, {}, 'intervalMinutes')
  if ((body.quietFrom === undefined) !== (body.quietTo === undefined))
    refuse(alarmRefusals.quietHalf, {}, body.quietFrom === undefined ? 'quietFrom' : 'quietTo')
  // It could be meant as the whole day, and would be no time at all.
  if (body.quietFrom !== undefined && body.quietFrom === body.quietTo)
    refuse(alarmRefusals.quietEqual, {}, 'quietTo')
  const language = before?.language ?? ctx.language
  const texts = textsIn(sayIn(language))
  const fields = {
    name: body.name,
    severity: body.severity,
    enabled: body.enabled,
    ...watch,
    mode: body.mode,
    intervalMinutes: body.mode === 'repeat' ? (body.intervalMinutes ?? null) : null,
    byEmail: body.byEmail,
    toUsers: body.toUsers,
    quietFrom: body.quietFrom ?? null,
    quietTo: body.quietTo ?? null,
    timeZone: body.timeZone,
    language,
    alertText: body.alertText || texts.alert,
    recoveryText: body.recoveryText || texts.recovery,
    updatedAt: ctx.now(),
  }
  const putLinks = async (tx: Transaction, ruleId: number) => {
    for (const links of [alarmRuleContacts, alarmRuleChannels])
      await tx.delete(links).where(eq(links.ruleId, ruleId))
    await link(tx, ruleId)
    if (contactIds.length > 0)
      await tx.insert(alarmRuleContacts).values(contactIds.map((contactId) => ({ ruleId, contactId })))
    if (channelIds.length > 0)
      await tx.insert(alarmRuleChannels).values(channelIds.map((channelId) => ({ ruleId, channelId })))
    return ruleId
  }
  if (before === null)
    return ctx.db.transaction(async (tx) => {
      const [made] = await tx
        .insert(alarmRules)
        .values({ customerId, createdBy: ctx.actor.userId, ...fields })
        .returning({ id: alarmRules.id })
      if (!made) throw new Error('insert returned nothing')
      return putLinks(tx, made.id)
    })
  return edit(ctx, { opened: body.edition }, async (tx) => {
    await tx.update(alarmRules).set(fields).where(eq(alarmRules.id, before.id))
    return putLinks(tx, before.id)
  })
}

/** The groups of a rule; others are removed. */
export async function putGroups(tx: Transaction, ruleId: number, groupIds: readonly number[]): Promise<void> {
  await tx.delete(alarmRuleGroups).where(eq(alarmRuleGroups.ruleId, ruleId))
  if (groupIds.length > 0)
    await tx.insert(alarmRuleGroups).values([...new Set(groupIds)].map((groupId) => ({ ruleId, groupId })))
}

/** Stores a rule about devices. */
export async function storeRule(
  ctx: CallContext,
  customerId: number,
  before: KnownRule | null,
  body: RuleBody,
): Promise<number> {
  const kind = before?.kind ?? body.kind
  const condition = checkCondition({ ...body, kind })
  await reachScope(ctx, customerId, body)
  return storeNotice(ctx, customerId, before, body, {
    watch: { kind, ...condition, scope: body.scope },
    textsIn: (say) => textsOf(kind, say),
    link: async (tx, ruleId) => {
      await putGroups(tx, ruleId, body.scope === 'groups' ? body.groupIds : [])
      await tx.delete(alarmRuleDevices).where(eq(alarmRuleDevices.ruleId, ruleId))
      if (body.scope === 'devices')
        await tx
          .insert(alarmRuleDevices)
          .values([...new Set(body.deviceIds)].map((deviceId) => ({ ruleId, deviceId })))
    },
  })
}
