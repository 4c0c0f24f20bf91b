import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { languages } from '../kit/refusal.ts'
import type { InvitationState } from '../people/invitation.ts'
import { at, serialId } from './columns.ts'
import { users } from './user.ts'

/** A mailed link by which a new user chooses their own password. A user has at most one. */
export const invitations = pgTable(
  'invitations',
  {
    id: serialId('id'),
    /**
     * null: replaced by a later invitation or a typed password, or the user has logged in without it or was deleted. Such
     * a row proves nothing any more; it still counts against the number of mails to its address.
     */
    userId: integer('user_id')
      .unique()
      .references(() => users.id, { onDelete: 'set null' }),
    email: text('email').notNull(),
    /** The language of its mail, also when it is sent again. */
    language: text('language', { enum: languages }).notNull(),
    /** SHA-256 of the link's token: 256 random bits need no slow hash. */
    hash: text('hash').notNull().unique(),
    sentAt: at('sent_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    acceptedAt: at('accepted_at'),
    withdrawnAt: at('withdrawn_at'),
  },
  (t) => [index('invitations_address').on(sql`lower(${t.email})`, t.sentAt)],
)

/**
 * Whether a joined invitation is valid for its user. After a change of the user's address the link was sent to the
 * wrong one.
 */
export const invitationState = sql<InvitationState | null>`case
  when ${invitations.id} is null then null
  when ${invitations.acceptedAt} is not null then 'accepted'
  when ${invitations.withdrawnAt} is not null then 'withdrawn'
  when ${invitations.expiresAt} <= now() or lower(${invitations.email}) is distinct from lower(${users.email}) then 'expired'
  else 'invited' end`
