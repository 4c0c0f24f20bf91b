import { eq, getTableColumns, sql } from 'drizzle-orm'
import { shownKafkaAddress, whyKafkaRefused } from '#infra/monitor/outbound-kafka'
import { whyBrokerRefused } from '#infra/monitor/outbound-mqtt'
import { whyRefused } from '#infra/outbound'
import { seal } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import {
  addNorth,
  deleteNorth,
  getNorthList,
  modifyNorth,
  northTargetObject,
  skipNorth,
  switchNorth,
} from '#schema/monitor/north'
import { type NorthKind, PASSED_DAYS } from '#schema/monitor/north-kinds'
import { whyTemplateRefused } from '#schema/monitor/north-message'
import { northRefusals } from '#schema/monitor/north-refusals'
import { customers } from '#schema/tables/customer'
import { northTargets } from '#schema/tables/north'
import { projects } from '#schema/tables/project'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { storedProject } from './project-object.ts'

/** Visible with their project. */
export const storedNorthTarget = stored({
  object: northTargetObject,
  table: northTargets,
  id: northTargets.id,
  name: northTargets.name,
  customerId: northTargets.customerId,
  seen: (walls) =>
    sql`exists (select 1 from ${projects} where ${projects.id} = ${northTargets.projectId} and ${walls.projects})`,
  row: () => getTableColumns(northTargets),
  parts: {
    main: {
      table: northTargets,
      id: northTargets.id,
      fields: {
        name: northTargets.name,
        username: northTargets.username,
        topic: northTargets.topic,
        template: northTargets.template,
        values: northTargets.values,
        alarms: northTargets.alarms,
      },
      hidden: { secretAddress: northTargets.addressSealed, password: northTargets.secretSealed },
    },
    running: { table: northTargets, id: northTargets.id, fields: { enabled: northTargets.enabled } },
  },
  facts: { kind: northTargets.kind, address: northTargets.addressShown },
})

export const getNorthListHandler = listOf(getNorthList, storedNorthTarget, ({ db }) => ({
  table: northTargets,
  by: { projectName: projects.name },
  rows: db
    .select({
      id: northTargets.id,
      name: northTargets.name,
      projectId: northTargets.projectId,
      projectName: projects.name,
      customerName: customers.name,
      kind: northTargets.kind,
      addressShown: northTargets.addressShown,
      username: northTargets.username,
      hasLogin: sql<boolean>`${northTargets.secretSealed} is not null`,
      topic: northTargets.topic,
      template: northTargets.template,
      values: northTargets.values,
      alarms: northTargets.alarms,
      enabled: northTargets.enabled,
      sentCount: northTargets.sentCount,
      sentAt: northTargets.sentAt,
      behindSince:
        sql<Date | null>`case when ${northTargets.waiting} then ${northTargets.caughtUpAt} end`.mapWith(
          northTargets.caughtUpAt,
        ),
      fault: northTargets.fault,
      faultStatus: northTargets.faultStatus,
      faultAt: northTargets.faultAt,
      passedCount: northTargets.passedCount,
      passedAt: northTargets.passedAt,
      passedStatus: northTargets.passedStatus,
      passedLately: sql<boolean>`coalesce(${northTargets.passedAt} > now() - make_interval(days => ${PASSED_DAYS}), false)`,
      failures: northTargets.failures,
      createdAt: northTargets.createdAt,
      edition: editionOf(storedNorthTarget.parts.main),
    })
    .from(northTargets)
    .innerJoin(projects, eq(projects.id, northTargets.projectId))
    .innerJoin(customers, eq(customers.id, northTargets.customerId)),
  countJoined: true,
}))

type Own = {
  topic?: string | undefined
  template?: string | undefined
  values: boolean
  alarms: boolean
}

/** @throws Refusal 392, 393, 394 */
function checkOwn(kind: NorthKind, body: Own): void {
  if (!body.values && !body.alarms) refuse(northRefusals.nothingChosen, {}, 'values')
  if (kind !== 'http' && !body.topic) refuse(northRefusals.topicMissing, {}, 'topic')
  const why = body.template ? whyTemplateRefused(body.template) : null
  if (why !== null) refuse(northRefusals.northTemplateInvalid, { part: why }, 'template')
}

const refusers = { mqtt: whyBrokerRefused, http: whyRefused, kafka: whyKafkaRefused } as const

/** Without path, query and user: they may hold a secret. */
function shown(kind: NorthKind, address: string): string {
  if (kind === 'kafka') return shownKafkaAddress(address)
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}

/** @throws Refusal 391: an address of another kind, or one that is not public. */
function checkedAddress({ env }: CallContext, kind: NorthKind, address: string) {
  const why = refusers[kind](address, env.WEBHOOK_ALLOW_PRIVATE)
  if (why !== null) refuse(northRefusals.targetNotAllowed, { reason: why }, 'secretAddress')
  return { addressSealed: seal(address, env.JWT_SECRET), addressShown: shown(kind, address) }
}

const taken = (name: string) =>
  whenTaken({ north_targets_name: () => refuse(northRefusals.northNameTaken, { name }, 'name') })

const sealedSecret = ({ env }: CallContext, password: string | undefined) =>
  password ? { secretSealed: seal(password, env.JWT_SECRET) } : {}

/**
 * The changed address. A stored password does not follow it to another host: otherwise, whoever may edit the target could
 * read the password by having it sent to a host of their own.
 */
function movedAddress(ctx: CallContext, before: { kind: NorthKind; addressShown: string }, address: string) {
  const after = checkedAddress(ctx, before.kind, address)
  return after.addressShown === before.addressShown ? after : { ...after, secretSealed: null }
}

/** What is stored from now on. */
const fromNow = {
  values: { storedBy: sql`pg_current_xact_id()::text::bigint`, terminalId: 0, reportAt: new Date(0) },
  alarms: { alarmsBy: sql`pg_current_xact_id()::text::bigint`, alarmId: 0 },
}

export const addNorthHandler = handler(addNorth, async (ctx, { secretAddress, password, ...body }) => {
  const project = rowOf(ctx, storedProject)
  checkOwn(body.kind, body)
  const [made] = await ctx.db
    .insert(northTargets)
    .values({
      ...body,
      ...checkedAddress(ctx, body.kind, secretAddress),
      ...sealedSecret(ctx, password),
      customerId: project.customerId,
      createdBy: ctx.actor.userId,
    })
    .returning({ id: northTargets.id })
    .catch(taken(body.name))
  if (!made) throw new Error('insert returned nothing')
  return made
})

export const modifyNorthHandler = handler(
  modifyNorth,
  async (ctx, { id, edition, secretAddress, password, ...body }) => {
    const before = rowOf(ctx, storedNorthTarget)
    checkOwn(before.kind, body)
    const set = {
      ...body,
      username: body.username ?? null,
      topic: body.topic ?? null,
      template: body.template ?? null,
      ...(secretAddress === undefined ? {} : movedAddress(ctx, before, secretAddress)),
      ...sealedSecret(ctx, password),
      // What is switched on begins now: its position has stood still since the target was made.
      ...(body.values && !before.values ? fromNow.values : {}),
      ...(body.alarms && !before.alarms ? fromNow.alarms : {}),
      // A worker that still forwards to the former address must no longer move its position.
      lease: null,
      leasedUntil: null,
      dueAt: ctx.now(),
      updatedAt: ctx.now(),
      // What was passed over was about the target as it was.
      passedAt: null,
    }
    await edit(ctx, { opened: edition }, (tx) =>
      tx.update(northTargets).set(set).where(eq(northTargets.id, id)),
    ).catch(taken(body.name))
    return null
  },
)

export const switchNorthHandler = handler(switchNorth, async (ctx, { id, enabled }) => {
  await edit(ctx, {}, (tx) =>
    tx
      .update(northTargets)
      .set({ enabled, dueAt: ctx.now(), lease: null, leasedUntil: null })
      .where(eq(northTargets.id, id)),
  )
  return null
})

export const skipNorthHandler = handler(skipNorth, async (ctx, { id }) => {
  const now = ctx.now()
  await ctx.db
    .update(northTargets)
    .set({
      ...fromNow.values,
      ...fromNow.alarms,
      caughtUpAt: now,
      waiting: false,
      failures: 0,
      fault: null,
      faultStatus: null,
      passedAt: null,
      dueAt: now,
      lease: null,
      leasedUntil: null,
    })
    .where(eq(northTargets.id, id))
  return null
})

export const deleteNorthHandler = handler(deleteNorth, async (ctx) => {
  await ctx.db.delete(northTargets).where(eq(northTargets.id, rowOf(ctx, storedNorthTarget).id))
  return null
})
