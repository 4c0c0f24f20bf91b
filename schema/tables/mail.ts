import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { type MailFile, mailStates } from '../platform/mail.ts'
import { mailPurposes } from '../platform/send-budget.ts'
import { at } from './columns.ts'

/** Outgoing and sent mail. A row is committed with its cause; a job sends it. */
export const mails = pgTable(
  'mails',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** null: of the platform. */
    customerId: integer('customer_id'),
    /** The budget that it is charged to. */
    purpose: text('purpose', { enum: mailPurposes }).notNull(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    files: jsonb('files').$type<MailFile[]>().notNull().default([]),
    state: text('state', { enum: mailStates }).notNull().default('draft'),
    attempts: integer('attempts').notNull().default(0),
    error: text('error'),
    /** Written while there was no way to send it (no SMTP_URL outside production): stays until a user sends it. */
    kept: boolean('kept').notNull().default(false),
    createdAt: at('created_at').notNull().defaultNow(),
    /** Not sent before this time. */
    dueAt: at('due_at').notNull().defaultNow(),
    sentAt: at('sent_at'),
  },
  (t) => [
    index('mails_due').on(t.dueAt).where(sql`${t.state} in ('draft', 'sending') and not ${t.kept}`),
    index('mails_customer_at').on(t.customerId, t.createdAt),
    index('mails_created').on(t.createdAt),
    index('mails_search').using('gin', t.recipient.op('gin_trgm_ops'), t.subject.op('gin_trgm_ops')),
  ],
)
