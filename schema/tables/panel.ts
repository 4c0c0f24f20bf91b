import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Widget } from '../monitor/panel.ts'
import { at, nameKey, serialId } from './columns.ts'
import { BY_PEOPLE, kept } from './kept.ts'
import { projects } from './project.ts'

/** A screen of a project that users compose; it ends with its project [decisions/131]. */
export const panels = pgTable(
  'panels',
  {
    id: serialId('id'),
    projectId: integer('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Always written and read as a whole. */
    widgets: jsonb('widgets').$type<Widget[]>().notNull().default([]),
    /** The images of its widgets, so that images in use are kept. */
    imageIds: uuid('image_ids').array().notNull().default([]),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('panels_name').on(t.projectId, nameKey(t.name)),
    index('panels_images').using('gin', t.imageIds),
  ],
)
export const panelsKept = kept(panels, BY_PEOPLE)
