import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { SouthMapping } from '../monitor/south/adapter.ts'
import { southFaults, southKinds } from '../monitor/south-kinds.ts'
import { at, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'
import { projects } from './project.ts'
import { terminals } from './terminal.ts'

/** An account by which a foreign source sends values to the terminals of a project [decisions/120]. */
export const southAccounts = pgTable(
  'south_accounts',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    projectId: integer('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    kind: text('kind', { enum: southKinds }).notNull(),
    username: text('username').notNull(),
    secretHash: text('secret_hash').notNull(),
    /** Filters of the topics that it may publish to, and subscribe to. */
    topics: text('topics').array().notNull(),
    mapping: jsonb('mapping').$type<SouthMapping>().notNull().default({}),
    enabled: boolean('enabled').notNull().default(true),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('south_accounts_name').on(t.customerId, nameKey(t.name)),
    uniqueIndex('south_accounts_username').on(t.username),
    index('south_accounts_project').on(t.projectId),
  ],
)
export const southAccountsKept = kept(southAccounts, BY_PEOPLE)

/** Terminals whose values come from a foreign source; their gateways do not poll them meanwhile. */
export const southTerminals = pgTable(
  'south_terminals',
  {
    terminalId: integer('terminal_id')
      .primaryKey()
      .references(() => terminals.id, { onDelete: 'cascade' }),
    accountId: integer('account_id')
      .notNull()
      .references(() => southAccounts.id, { onDelete: 'cascade' }),
    /** What the source calls it. */
    source: text('source').notNull(),
    linkedAt: at('linked_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('south_terminals_source').on(t.accountId, t.source)],
)
export const southTerminalsKept = kept(southTerminals, 'one row for each terminal')

/** How it goes with an account, written behind by the broker. */
export const southStates = pgTable('south_states', {
  accountId: integer('account_id')
    .primaryKey()
    .references(() => southAccounts.id, { onDelete: 'cascade' }),
  /**
   * For each broker that it is connected to: when that last reported it [ms since 1970], every few seconds, and its messages per second.
   * Several brokers write the row: none may take away what another one knows.
   */
  brokers: jsonb('brokers').$type<Record<string, { at: number; perSecond: number }>>().notNull().default({}),
  messageAt: at('message_at'),
  messages: bigint('messages', { mode: 'number' }).notNull().default(0),
  /** Values that were stored. */
  stored: bigint('stored', { mode: 'number' }).notNull().default(0),
  faults: bigint('faults', { mode: 'number' }).notNull().default(0),
  fault: text('fault', { enum: southFaults }),
  faultTopic: text('fault_topic'),
  faultAt: at('fault_at'),
})
export const southStatesKept = kept(southStates, 'one row for each account')

/** Names of a source that are not mapped to a variable, with their last value. */
export const southNames = pgTable(
  'south_names',
  {
    accountId: integer('account_id')
      .notNull()
      .references(() => southAccounts.id, { onDelete: 'cascade' }),
    source: text('source').notNull(),
    name: text('name').notNull(),
    value: text('value'),
    at: at('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.source, t.name] }), index('south_names_at').on(t.at)],
)
