import { eq, sql } from 'drizzle-orm'
import { panelObject } from '#schema/monitor/panel'
import { panels } from '#schema/tables/panel'
import { projects } from '#schema/tables/project'
import { stored } from '../kit/stored.ts'

const { id, name, projectId, widgets } = panels

/** Visible with their project. */
export const storedPanel = stored({
  object: panelObject,
  table: panels,
  id,
  name,
  customerId: sql`(select ${projects.customerId} from ${projects} where ${projects.id} = ${projectId})`,
  // A link to one panel shows no other.
  seen: (walls, { kiosk }) =>
    sql`${kiosk ? eq(id, kiosk.panel?.id ?? 0) : sql`true`} and exists (select 1 from ${projects} where ${projects.id} = ${projectId} and ${walls.projects})`,
  row: () => ({ id, projectId }),
  parts: {
    main: { table: panels, id, fields: { name } },
    widgets: { table: panels, id, fields: { widgets } },
  },
  facts: { projectId },
})
