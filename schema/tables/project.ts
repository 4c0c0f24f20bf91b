import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { projectTypes } from '../monitor/project-types.ts'
import { at, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { groups } from './group.ts'
import { BY_PEOPLE, kept } from './kept.ts'
import { users } from './user.ts'

/**
 * [§3 Project] A first-level group, seen as its equipment: the devices of the group and its subgroups are those of the
 * project. So devices are assigned only once, and users who may see the group may see the project.
 */
export const projects = pgTable(
  'projects',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    groupId: integer('group_id')
      .notNull()
      .references(() => groups.id),
    name: text('name').notNull(),
    type: text('type', { enum: projectTypes }).notNull(),
    /** Who is responsible. */
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Retention of its terminals' samples in days; null: that of the platform [decisions/137]. */
    historyDays: integer('history_days'),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('projects_name').on(t.customerId, nameKey(t.name)),
    uniqueIndex('projects_group').on(t.groupId),
    index('projects_order').on(t.name, t.id),
  ],
)
export const projectsKept = kept(projects, BY_PEOPLE)
