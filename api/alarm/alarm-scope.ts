/** Which devices a rule or a maintenance window covers, and whether the actor may choose them. */

import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { sayIn } from '#infra/say'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import type { AlarmScope } from '#schema/alarm/alarm-rule'
import { type ChannelEvent, channelEvents } from '#schema/alarm/channel-event'
import { refuse } from '#schema/kit/refusal'
import { absent, sessionRefusals } from '#schema/people/session-refusals'
import { alarmChannels } from '#schema/tables/alarm-channel'
import {
  alarmRuleChannels,
  alarmRuleContacts,
  alarmRuleDevices,
  alarmRuleGroups,
  alarmRules,
  alarmRuleTerminals,
} from '#schema/tables/alarm-rule'
import { contacts } from '#schema/tables/contact'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { terminals } from '#schema/tables/terminal'
import type { Actor } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

export type Scope = { scope: AlarmScope; groupIds: readonly number[]; deviceIds: readonly number[] }

/**
 * Groups and devices must belong to the customer and be visible. Users confined to groups can choose only from those.
 * @throws Refusal 5, or 248 if nothing is selected.
 */
export async function reachScope(ctx: CallContext, customerId: number, body: Scope): Promise<void> {
  const { actor, db } = ctx
  if (body.scope === 'customer') {
    if (actor.groupIds !== null) refuse(sessionRefusals.noPermission, {}, 'scope')
    return
  }
  const [ids, field] =
    body.scope === 'groups'
      ? ([[...new Set(body.groupIds)], 'groupIds'] as const)
      : ([[...new Set(body.deviceIds)], 'deviceIds'] as const)
  if (ids.length === 0) refuse(alarmRefusals.scopeEmpty, {}, field)
  const found =
    body.scope === 'groups'
      ? await db
          .select({ id: groups.id })
          .from(groups)
          .where(and(visible(actor).groups, eq(groups.customerId, customerId), inArray(groups.id, ids)))
      : await db
          .select({ id: devices.id })
          .from(devices)
          .where(and(visible(actor).devices, eq(devices.customerId, customerId), inArray(devices.id, ids)))
  if (found.length < ids.length) refuse(absent)
}

/** The devices of the scope that the actor may see. */
export function coveredBy(ctx: CallContext, customerId: number, body: Scope): SQL | undefined {
  const of = {
    customer: () => undefined,
    groups: () => sql`${devices.groupId} in (
      with recursive tree as (
        select id from groups where id = any(${sql.param([...body.groupIds])}::int[])
        union select g.id from groups g join tree on g.parent_id = tree.id
      ) select id from tree)`,
    devices: () => inArray(devices.id, [...body.deviceIds]),
  }[body.scope]()
  return and(visible(ctx.actor).devices, eq(devices.customerId, customerId), of)
}

/** Rules about devices and tasks: those about variables have calls of their own. */
export const aboutDevices = ne(alarmRules.kind, 'variable')

/**
 * Rules that reach nothing beyond the actor's groups; they do not reach a device that was given to another customer.
 * undefined: the actor sees the whole customer.
 */
export function ownRules({ groupIds }: Actor): SQL | undefined {
  if (groupIds === null) return undefined
  const mine = sql`${sql.param([...groupIds])}::int[]`
  return and(
    sql`${alarmRules.scope} <> 'customer'`,
    sql`not exists (select 1 from ${alarmRuleGroups} where ${alarmRuleGroups.ruleId} = ${alarmRules.id} and ${alarmRuleGroups.groupId} <> all (${mine}))`,
    sql`not exists (select 1 from ${alarmRuleDevices} join ${devices} on ${devices.id} = ${alarmRuleDevices.deviceId}
      where ${alarmRuleDevices.ruleId} = ${alarmRules.id} and ${devices.customerId} = ${alarmRules.customerId}
        and ${devices.groupId} <> all (${mine}))`,
    sql`not exists (select 1 from ${alarmRuleTerminals} join ${terminals} on ${terminals.id} = ${alarmRuleTerminals.terminalId}
      join ${devices} on ${devices.id} = ${terminals.deviceId}
      where ${alarmRuleTerminals.ruleId} = ${alarmRules.id} and ${devices.groupId} <> all (${mine}))`,
  )
}

/** Whether the actor may change a rule. */
export const changeableRule = (actor: Actor) => sql<boolean>`${ownRules(actor) ?? sql`true`}`

/**
 * Whether the actor may change a receiver, given the rules that use it: a user confined to groups must not redirect
 * the alarms of others.
 */
function changeable(actor: Actor, used: SQL, events: PgColumn): SQL<boolean> {
  const own = ownRules(actor)
  return own
    ? sql<boolean>`(cardinality(${events}) = 0 and not exists (${used} and not (${own})))`
    : sql<boolean>`true`
}
export const changeableChannel = (actor: Actor) =>
  changeable(
    actor,
    sql`select 1 from ${alarmRuleChannels} join ${alarmRules} on ${alarmRules.id} = ${alarmRuleChannels.ruleId}
      where ${alarmRuleChannels.channelId} = ${alarmChannels.id}`,
    alarmChannels.events,
  )
export const changeableContact = (actor: Actor) =>
  changeable(
    actor,
    sql`select 1 from ${alarmRuleContacts} join ${alarmRules} on ${alarmRules.id} = ${alarmRuleContacts.ruleId}
      where ${alarmRuleContacts.contactId} = ${contacts.id}`,
    contacts.events,
  )

/**
 * The columns of the chosen events; `undefined`: as before. They are about all devices of the customer. @throws Refusal
 * eventsOfOthers for users confined to groups
 */
export function chosenEvents({ actor, language }: CallContext, events: ChannelEvent[] | undefined) {
  if (events === undefined) return {}
  if (events.length > 0 && actor.groupIds !== null) refuse(alarmRefusals.eventsOfOthers, {}, 'events')
  return { events: channelEvents.filter((event) => events.includes(event)), eventLanguage: language }
}

/** Where to look for it: notices about variables are alarm rules too, but have a page of their own. */
export const ruleNamed = (
  { language }: CallContext,
  { kind, name }: Pick<typeof alarmRules.$inferSelect, 'kind' | 'name'>,
): string =>
  sayIn(language)(kind === 'variable' ? 'alarm:named.variableNotice' : 'alarm:named.rule', { name })
