import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { hashSecret, makeSecret } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import {
  addSouth,
  deleteSouth,
  getSouthList,
  modifySouth,
  renewSouth,
  switchSouth,
} from '#schema/monitor/south'
import { type MappingPart, mappingParts, type SouthMapping } from '#schema/monitor/south/adapter'
import { whyMappingRefused } from '#schema/monitor/south/mapping'
import { FILTERS_MAX, isSouthFilter, type SouthKind } from '#schema/monitor/south-kinds'
import { southRefusals } from '#schema/monitor/south-refusals'
import { customers } from '#schema/tables/customer'
import { projects } from '#schema/tables/project'
import { southAccounts, southStates } from '#schema/tables/south'
import { mqttAddressesOf } from '../device/mqtt-addresses.ts'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { storedProject } from './project-object.ts'
import { isSeen, messagesPerSecond } from './source-state.ts'
import { adapters } from './south-adapters.ts'
import { storedSouthAccount } from './south-object.ts'

const BROKERS = '"south_states"."brokers"'
const connected = sql<boolean>`coalesce(${southAccounts.enabled} and ${isSeen(BROKERS)}, false)`
const count = (table: 'south_terminals' | 'south_names') =>
  sql<number>`(select count(*)::int from ${sql.identifier(table)} x where x.account_id = ${southAccounts.id})`
const zero = (column: AnyPgColumn) => sql<number>`coalesce(${column}, 0)`.mapWith(Number)

export const getSouthListHandler = listOf(getSouthList, storedSouthAccount, ({ db }) => ({
  table: southAccounts,
  by: { projectName: projects.name, messageAt: southStates.messageAt },
  rows: db
    .select({
      id: southAccounts.id,
      name: southAccounts.name,
      projectId: southAccounts.projectId,
      projectName: projects.name,
      customerName: customers.name,
      kind: southAccounts.kind,
      username: southAccounts.username,
      topics: southAccounts.topics,
      mapping: sql<Record<string, string>>`${southAccounts.mapping}`,
      enabled: southAccounts.enabled,
      connected,
      messageAt: southStates.messageAt,
      messages: zero(southStates.messages),
      stored: zero(southStates.stored),
      perSecond: messagesPerSecond(BROKERS),
      terminalCount: count('south_terminals'),
      unmappedCount: count('south_names'),
      faults: zero(southStates.faults),
      fault: southStates.fault,
      faultTopic: southStates.faultTopic,
      faultAt: southStates.faultAt,
      createdAt: southAccounts.createdAt,
      edition: editionOf(storedSouthAccount.parts.main),
    })
    .from(southAccounts)
    .innerJoin(projects, eq(projects.id, southAccounts.projectId))
    .innerJoin(customers, eq(customers.id, southAccounts.customerId))
    .leftJoin(southStates, eq(southStates.accountId, southAccounts.id)),
  countJoined: true,
}))

type Said = { topics?: string | undefined } & { [P in MappingPart]?: string | undefined }

/** @throws Refusal 396, 397 */
function rulesOf(kind: SouthKind, body: Said): { topics: string[]; mapping: SouthMapping } {
  const adapter = adapters.get(kind)
  const lines = (body.topics ?? '').split('\n').map((line) => line.trim())
  const asked = [...new Set(lines.filter((line) => line !== ''))]
  const topics = adapter?.fixed || asked.length === 0 ? [...(adapter?.topics ?? [])] : asked
  const wrong = adapter?.fixed ? undefined : topics.find((topic) => !isSouthFilter(topic))
  if (topics.length === 0 || topics.length > FILTERS_MAX || wrong !== undefined)
    refuse(southRefusals.southTopicsInvalid, { max: FILTERS_MAX, topic: wrong ?? '' }, 'topics')
  if (kind !== 'mapping') return { topics, mapping: {} }
  const mapping: SouthMapping = Object.fromEntries(
    mappingParts.flatMap((part) => (body[part] ? [[part, body[part]]] : [])),
  )
  const why = whyMappingRefused(mapping)
  if (why !== null) refuse(southRefusals.southMappingInvalid, {}, why)
  return { topics, mapping }
}

/** Twelve characters of base32: not guessable, and short enough for the configuration forms of small devices. */
const makeUsername = () =>
  `south.${[...randomBytes(12)].map((byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte & 31]).join('')}`

const taken = (name: string) =>
  whenTaken({ south_accounts_name: () => refuse(southRefusals.southNameTaken, { name }, 'name') })

/** Notifies the brokers, which close the connections of changed accounts; they also poll. */
const tellBrokers = ({ sql: run }: CallContext, id: number) =>
  run`select pg_notify('south_accounts', ${String(id)})`

export const addSouthHandler = handler(addSouth, async (ctx, body) => {
  const project = rowOf(ctx, storedProject)
  const password = makeSecret()
  const [made] = await ctx.db
    .insert(southAccounts)
    .values({
      customerId: project.customerId,
      projectId: project.id,
      name: body.name,
      kind: body.kind,
      username: makeUsername(),
      secretHash: hashSecret(password),
      ...rulesOf(body.kind, body),
      createdBy: ctx.actor.userId,
    })
    .returning({ id: southAccounts.id, username: southAccounts.username })
    .catch(taken(body.name))
  if (!made) throw new Error('insert returned nothing')
  return { ...made, password, mqtt: mqttAddressesOf(ctx.env) }
})

export const modifySouthHandler = handler(modifySouth, async (ctx, { id, edition, ...body }) => {
  const { kind } = rowOf(ctx, storedSouthAccount)
  const set = { name: body.name, ...rulesOf(kind, body), updatedAt: ctx.now() }
  await edit(ctx, { opened: edition }, (tx) =>
    tx.update(southAccounts).set(set).where(eq(southAccounts.id, id)),
  ).catch(taken(body.name))
  await tellBrokers(ctx, id)
  return null
})

export const renewSouthHandler = handler(renewSouth, async (ctx) => {
  const { id, username } = rowOf(ctx, storedSouthAccount)
  const password = makeSecret()
  await ctx.db
    .update(southAccounts)
    .set({ secretHash: hashSecret(password), updatedAt: ctx.now() })
    .where(eq(southAccounts.id, id))
  await tellBrokers(ctx, id)
  return { id, username, password, mqtt: mqttAddressesOf(ctx.env) }
})

export const switchSouthHandler = handler(switchSouth, async (ctx, { id, enabled }) => {
  await edit(ctx, {}, (tx) => tx.update(southAccounts).set({ enabled }).where(eq(southAccounts.id, id)))
  await tellBrokers(ctx, id)
  return null
})

export const deleteSouthHandler = handler(deleteSouth, async (ctx) => {
  const { id } = rowOf(ctx, storedSouthAccount)
  await ctx.db.delete(southAccounts).where(eq(southAccounts.id, id))
  await tellBrokers(ctx, id)
  return null
})
