import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { devices } from './device.ts'
import { groups } from './group.ts'
import { BY_PEOPLE, kept, PER_DEVICE } from './kept.ts'

const customerId = () =>
  integer('customer_id')
    .notNull()
    .references(() => customers.id, { onDelete: 'cascade' })
const groupId = () => integer('group_id').references(() => groups.id, { onDelete: 'cascade' })
const deviceId = () => integer('device_id').references(() => devices.id, { onDelete: 'cascade' })

/** The configuration that devices of a customer should have: values by page. */
export const configTemplates = pgTable(
  'config_templates',
  {
    id: serialId('id'),
    customerId: customerId(),
    name: text('name').notNull(),
    remark: text('remark'),
    /** Encrypted JSON, by page and field: passwords and keys are among the values. */
    pages: text('pages').notNull(),
    /** The names of its fields, by page, unencrypted, so that lists need no key. */
    fields: jsonb('fields').$type<Record<string, string[]>>().notNull(),
    /** Kept when the user is deleted. */
    updatedBy: integer('updated_by'),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('config_templates_name').on(t.customerId, nameKey(t.name))],
)
export const configTemplatesKept = kept(configTemplates, BY_PEOPLE)

/** The scope of a template: a group with its subgroups, a device, or with neither all devices of the customer. */
export const configTemplateUses = pgTable(
  'config_template_uses',
  {
    id: serialId('id'),
    templateId: integer('template_id')
      .notNull()
      .references(() => configTemplates.id, { onDelete: 'cascade' }),
    groupId: groupId(),
    deviceId: deviceId(),
    /** Among the templates of one group or device the later one wins. */
    place: integer('place').notNull(),
  },
  (t) => [
    uniqueIndex('config_template_uses_once').on(
      t.templateId,
      sql`coalesce(${t.groupId}, 0)`,
      sql`coalesce(${t.deviceId}, 0)`,
    ),
    index('config_template_uses_group').on(t.groupId).where(sql`${t.groupId} is not null`),
    index('config_template_uses_device').on(t.deviceId).where(sql`${t.deviceId} is not null`),
    check('config_template_uses_scope', sql`${t.groupId} is null or ${t.deviceId} is null`),
  ],
)
export const configTemplateUsesKept = kept(configTemplateUses, BY_PEOPLE)

/** A variable that templates use as {{name}}, with values for customers, groups or devices. */
export const configVariables = pgTable(
  'config_variables',
  {
    id: serialId('id'),
    customerId: customerId(),
    name: text('name').notNull(),
    remark: text('remark'),
    /** Its values are masked wherever they would be shown. */
    isSecret: boolean('is_secret').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('config_variables_name').on(t.customerId, sql`lower(${t.name})`)],
)
export const configVariablesKept = kept(configVariables, BY_PEOPLE)

export const configVariableValues = pgTable(
  'config_variable_values',
  {
    id: serialId('id'),
    variableId: integer('variable_id')
      .notNull()
      .references(() => configVariables.id, { onDelete: 'cascade' }),
    groupId: groupId(),
    deviceId: deviceId(),
    /** Encrypted, whether it is secret or not. */
    value: text('value').notNull(),
  },
  (t) => [
    uniqueIndex('config_variable_values_once').on(
      t.variableId,
      sql`coalesce(${t.groupId}, 0)`,
      sql`coalesce(${t.deviceId}, 0)`,
    ),
    index('config_variable_values_group').on(t.groupId).where(sql`${t.groupId} is not null`),
    index('config_variable_values_device').on(t.deviceId).where(sql`${t.deviceId} is not null`),
    check('config_variable_values_scope', sql`${t.groupId} is null or ${t.deviceId} is null`),
  ],
)
export const configVariableValuesKept = kept(configVariableValues, BY_PEOPLE)

/**
 * How much a device differs from its templates. A cached result: deleted when a template or a variable of its customer
 * changes, and computed again in the background.
 */
export const configTemplateStates = pgTable(
  'config_template_states',
  {
    deviceId: integer('device_id')
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    customerId: customerId(),
    groupId: integer('group_id').notNull(),
    /** The document that was compared. */
    ofHash: text('of_hash').notNull(),
    /** Names of its templates, the last wins; '' without any. */
    templates: text('templates').notNull(),
    /** Fields that they would change. */
    changes: integer('changes').notNull(),
    /** They would change the interface over which it reaches the platform. */
    onUplink: boolean('on_uplink').notNull(),
    /** They cannot be applied; the reason is computed when it is shown, in the reader's language. */
    isFaulty: boolean('is_faulty').notNull(),
  },
  (t) => [index('config_template_states_customer').on(t.customerId)],
)
export const configTemplateStatesKept = kept(configTemplateStates, PER_DEVICE)
