import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
} from 'drizzle-orm/pg-core'
import { alarmRules } from './alarm-rule.ts'
import { terminalLatest } from './collection.ts'
import { at } from './columns.ts'
import { kept } from './kept.ts'

/**
 * Where the condition of a notice begins and ends to hold at a terminal: written by the broker with the report that did it,
 * read by the evaluation of alarms, which leaves the newest one of each [decisions/112].
 */
export const variableTruths = pgTable(
  'variable_truths',
  {
    ruleId: integer('rule_id')
      .notNull()
      .references(() => alarmRules.id, { onDelete: 'cascade' }),
    /** Refers to the row that the report locks: one that is being deleted must not make the report wait, and then fail. */
    terminalId: integer('terminal_id').notNull(),
    /** Of the sample. */
    at: at('at').notNull(),
    /** When the rule was last changed before this evaluation: the row is invalid for other versions of the rule. */
    ruleAt: at('rule_at').notNull(),
    holds: boolean('holds').notNull(),
    value: doublePrecision('value'),
    quality: smallint('quality').notNull(),
    /** By the evaluation. */
    seen: boolean('seen').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.ruleId, t.terminalId, t.at] }),
    foreignKey({ columns: [t.terminalId], foreignColumns: [terminalLatest.terminalId] }).onDelete('cascade'),
    index('variable_truths_terminal').on(t.terminalId),
    index('variable_truths_unseen').on(t.ruleId, t.terminalId).where(sql`not ${t.seen}`),
  ],
)
export const variableTruthsKept = kept(
  variableTruths,
  'one row for each notice and terminal, and what the workers have not read yet',
)
