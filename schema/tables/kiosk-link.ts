import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'
import { BY_PEOPLE, kept } from './kept.ts'
import { panels } from './panel.ts'
import { projects } from './project.ts'
import { users } from './user.ts'

/**
 * Links that show the big screen of one project without a login [decisions/122]. They are deleted with their project
 * and with their creator.
 */
export const kioskLinks = pgTable(
  'kiosk_links',
  {
    id: serialId('id'),
    projectId: integer('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The user whose permissions it has, limited to those of the big screen. */
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The panel that it shows; null: the big screen. */
    panelId: integer('panel_id').references(() => panels.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the token: 256 random bits need no slow hash. */
    hash: text('hash').notNull().unique(),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    lastUsedAt: at('last_used_at'),
    revokedAt: at('revoked_at'),
  },
  (t) => [
    index('kiosk_links_project').on(t.projectId),
    index('kiosk_links_user').on(t.userId),
    index('kiosk_links_panel').on(t.panelId),
  ],
)
export const kioskLinksKept = kept(kioskLinks, BY_PEOPLE)
