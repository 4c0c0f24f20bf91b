import { and, eq, isNull, sql } from 'drizzle-orm'
import { hashSecret, makeSecret } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import {
  addKioskLink,
  getKioskLinks,
  KIOSK_PREFIX,
  kioskObject,
  revokeKioskLink,
} from '#schema/monitor/kiosk'
import { panelRefusals } from '#schema/monitor/panel'
import { kioskLinks } from '#schema/tables/kiosk-link'
import { panels } from '#schema/tables/panel'
import { projects } from '#schema/tables/project'
import { users } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import { handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { stored } from '../kit/stored.ts'
import { storedProject } from './project-object.ts'

const DAY_MS = 86_400_000

/** Visible with their project. */
export const storedKioskLink = stored({
  object: kioskObject,
  table: kioskLinks,
  id: kioskLinks.id,
  name: kioskLinks.name,
  customerId: sql`(select ${projects.customerId} from ${projects} where ${projects.id} = ${kioskLinks.projectId})`,
  seen: (walls) =>
    sql`exists (select 1 from ${projects} where ${projects.id} = ${kioskLinks.projectId} and ${walls.projects})`,
  row: () => ({ id: kioskLinks.id }),
  facts: { projectId: kioskLinks.projectId, expiresAt: kioskLinks.expiresAt },
})

export const addKioskLinkHandler = handler(addKioskLink, async (ctx, { name, expiresInDays, panelId }) => {
  const { db, actor, now } = ctx
  const { id: projectId } = rowOf(ctx, storedProject)
  if (panelId !== undefined) {
    const ofProject = and(eq(panels.id, panelId), eq(panels.projectId, projectId))
    if ((await db.$count(panels, ofProject)) === 0) refuse(panelRefusals.panelOfOther, {}, 'panelId')
  }
  const kioskToken = `${KIOSK_PREFIX}${makeSecret()}`
  const asked = now().getTime() + expiresInDays * DAY_MS
  // A link created by a script does not outlive the script's token.
  const ends = actor.apiToken?.expiresAt.getTime() ?? Number.POSITIVE_INFINITY
  const expiresAt = new Date(Math.min(asked, ends))
  const [row] = await db
    .insert(kioskLinks)
    .values({
      projectId,
      panelId: panelId ?? null,
      userId: actor.userId,
      name,
      hash: hashSecret(kioskToken),
      expiresAt,
    })
    .returning({ id: kioskLinks.id })
  if (!row) throw new Error('insert returned nothing')
  return { id: row.id, kioskToken, expiresAt }
})

export const getKioskLinksHandler = listOf(getKioskLinks, storedKioskLink, ({ db, actor }) => ({
  table: kioskLinks,
  rows: db
    .select({
      id: kioskLinks.id,
      name: kioskLinks.name,
      projectId: kioskLinks.projectId,
      projectName: projects.name,
      panelId: kioskLinks.panelId,
      panelName: panels.name,
      userName: knownName(actor),
      createdAt: kioskLinks.createdAt,
      expiresAt: kioskLinks.expiresAt,
      lastUsedAt: kioskLinks.lastUsedAt,
      revokedAt: kioskLinks.revokedAt,
    })
    .from(kioskLinks)
    .innerJoin(projects, eq(projects.id, kioskLinks.projectId))
    .innerJoin(users, eq(users.id, kioskLinks.userId))
    .leftJoin(panels, eq(panels.id, kioskLinks.panelId)),
}))

export const revokeKioskLinkHandler = handler(revokeKioskLink, async (ctx) => {
  await ctx.db
    .update(kioskLinks)
    .set({ revokedAt: ctx.now() })
    .where(and(eq(kioskLinks.id, rowOf(ctx, storedKioskLink).id), isNull(kioskLinks.revokedAt)))
  return null
})
