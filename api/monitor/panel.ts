import { and, eq, sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { refuse } from '#schema/kit/refusal'
import {
  addPanel,
  deletePanel,
  getPanel,
  getPanelList,
  getPanelPlaces,
  modifyPanel,
  PANELS_MAX,
  panelRefusals,
  savePanel,
} from '#schema/monitor/panel'
import { filledTemplate } from '#schema/monitor/panel-templates'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { panels } from '#schema/tables/panel'
import { projects } from '#schema/tables/project'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { withinBound } from '../kit/within-bound.ts'
import { adoptImage } from '../people/user-rows.ts'
import { readPlaces } from './monitor-board.ts'
import { storedPanel } from './panel-object.ts'
import { checkLayout, checkVariables, imagesOf, projectVariables } from './panel-widgets.ts'
import { storedProject } from './project-object.ts'

const { id, name, projectId, updatedAt, widgets } = panels
const head = { id, name, projectId, projectName: projects.name, updatedAt }

export const getPanelListHandler = listOf(getPanelList, storedPanel, ({ db }) => ({
  table: panels,
  by: { projectName: projects.name },
  rows: db
    .select({
      ...head,
      customerName: customers.name,
      widgetCount: sql<number>`jsonb_array_length(${widgets})`,
      edition: editionOf(storedPanel.parts.main),
    })
    .from(panels)
    .innerJoin(projects, eq(projects.id, projectId))
    .innerJoin(customers, eq(customers.id, projects.customerId)),
  countJoined: true,
}))

export const getPanelHandler = handler(getPanel, async (ctx) => {
  const [found] = await ctx.db
    .select({ ...head, widgets, edition: editionOf(storedPanel.parts.widgets) })
    .from(panels)
    .innerJoin(projects, eq(projects.id, projectId))
    .where(eq(id, rowOf(ctx, storedPanel).id))
  if (!found) throw new Error('the panel has gone')
  return found
})

export const getPanelPlacesHandler = handler(getPanelPlaces, async (ctx) => {
  const panel = rowOf(ctx, storedPanel)
  if (ctx.actor.kiosk) {
    // While a panel is composed it gets its first map; a link shows what is saved.
    const withMap = and(eq(id, panel.id), sql`${widgets} @> '[{"kind":"map"}]'`)
    if ((await ctx.db.$count(panels, withMap)) === 0) refuse(sessionRefusals.noPermission)
  }
  return { places: [...(await readPlaces(ctx, panel.projectId))] }
})

/** The unique index decides [threats 29]. */
const taken = (given: string) =>
  whenTaken({ panels_name: () => refuse(panelRefusals.panelNameTaken, { name: given }, 'name') })

export const addPanelHandler = handler(addPanel, async (ctx, body) => {
  const project = rowOf(ctx, storedProject)
  const say = sayIn(ctx.language)
  const made = filledTemplate(
    body.template,
    body.template === 'empty' ? [] : await projectVariables(ctx, project.id),
    (title) => say(`panel:title.${title}`),
  )
  const bound = {
    table: panels,
    where: eq(projectId, project.id),
    owner: project.id,
    max: PANELS_MAX,
    full: () => refuse(panelRefusals.tooManyPanels, { max: PANELS_MAX }, 'projectId'),
  }
  const work = withinBound(ctx, bound, (tx) =>
    tx.insert(panels).values({ projectId: project.id, name: body.name, widgets: made }).returning({ id }),
  )
  const [row] = await work.catch(taken(body.name))
  if (!row) throw new Error('insert returned nothing')
  return row
})

export const modifyPanelHandler = handler(modifyPanel, async (ctx, body) => {
  const { id: of } = rowOf(ctx, storedPanel)
  const work = edit(ctx, { opened: body.edition }, (tx) =>
    tx.update(panels).set({ name: body.name, updatedAt: ctx.now() }).where(eq(id, of)),
  )
  await work.catch(taken(body.name))
  return null
})

export const savePanelHandler = handler(savePanel, async (ctx, body) => {
  const panel = rowOf(ctx, storedPanel)
  checkLayout(body.widgets)
  await edit(ctx, { opened: body.edition }, async (tx) => {
    const [before] = await tx
      .select({ widgets, imageIds: panels.imageIds, customerId: projects.customerId })
      .from(panels)
      .innerJoin(projects, eq(projects.id, projectId))
      .where(eq(id, panel.id))
    await checkVariables(ctx, tx, panel.projectId, body.widgets, before?.widgets ?? [])
    const imageIds = imagesOf(body.widgets)
    // From now on the pictures belong to the customer of the project.
    for (const image of imageIds)
      if (!before?.imageIds.includes(image))
        await adoptImage(tx, ctx.actor, image, before?.customerId ?? null)
    await tx
      .update(panels)
      .set({ widgets: body.widgets, imageIds, updatedAt: ctx.now() })
      .where(eq(id, panel.id))
  })
  return null
})

export const deletePanelHandler = handler(deletePanel, async (ctx) => {
  await ctx.db.delete(panels).where(eq(id, rowOf(ctx, storedPanel).id))
  return null
})
