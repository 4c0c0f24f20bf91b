import { type SQL, sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { RecipientState } from '../report/recipient.ts'
import { at, serialId } from './columns.ts'
import { contacts } from './contact.ts'
import { customers } from './customer.ts'
import { users } from './user.ts'

/** Addresses outside the customer's users and contacts, and whether they confirmed to receive its reports. */
export const recipients = pgTable(
  'recipients',
  {
    id: serialId('id'),
    /** null: of the platform. A confirmation for one customer does not apply to another. */
    customerId: integer('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    /** In lower case. */
    email: text('email').notNull(),
    /** SHA-256 of the link's token, until it is used: 256 random bits need no slow hash. */
    hash: text('hash').unique(),
    askedAt: at('asked_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    confirmedAt: at('confirmed_at'),
  },
  (t) => [
    uniqueIndex('recipients_email').on(sql`coalesce(${t.customerId}, 0)`, t.email),
    index('recipients_asked').on(t.email, t.askedAt),
    index('recipients_expires').on(t.expiresAt).where(sql`${t.confirmedAt} is null`),
  ],
)

/**
 * Whether the customer (null: the platform, for which users of all customers are known) may send to `email`, which is
 * in lower case.
 */
export const recipientState = (customerId: SQL, email: SQL): SQL<RecipientState> => sql`(
  select case
    when exists (select 1 from ${users} where lower(${users.email}) = ${email} and ${users.status} = 1
        and (${customerId} is null or ${users.customerId} = ${customerId}))
      or exists (select 1 from ${contacts} where lower(${contacts.email}) = ${email}
        and (${customerId} is null or ${contacts.customerId} = ${customerId})) then 'known'
    when max(${recipients.confirmedAt}) is not null then 'confirmed'
    when max(${recipients.expiresAt}) > now() then 'waiting' else 'unasked' end
  from ${recipients} where ${recipients.email} = ${email} and ${recipients.customerId} is not distinct from ${customerId})`

/** Of every recipient of one scheduled report, which is `report_schedules` in the surrounding statement. */
export const scheduleRecipients = sql<{ email: string; state: RecipientState }[]>`(
  select coalesce(json_agg(json_build_object('email', e.email,
    'state', ${recipientState(sql`report_schedules.customer_id`, sql`e.email`)}) order by e.n), '[]')
  from unnest(report_schedules.recipients) with ordinality as e(email, n))`
