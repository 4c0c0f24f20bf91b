import { type AnyColumn, and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { configTemplateObject } from '#schema/config/config-template'
import { configVariableObject } from '#schema/config/config-variable'
import { templateRefusals } from '#schema/config/template-refusals'
import { refuse } from '#schema/kit/refusal'
import { absent, sessionRefusals } from '#schema/people/session-refusals'
import { configTemplates, configVariables } from '#schema/tables/config-template'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { stored } from '../kit/stored.ts'

const usesOf = (column: 'group_id' | 'device_id') =>
  sql.raw(
    `array(select u.${column} from config_template_uses u where u.template_id = config_templates.id and u.${column} is not null order by 1)`,
  )
const use = (what: string) =>
  sql.raw(`(select ${what} from config_template_uses u where u.template_id = config_templates.id)`)

export const storedConfigTemplate = stored({
  object: configTemplateObject,
  table: configTemplates,
  id: configTemplates.id,
  name: configTemplates.name,
  customerId: configTemplates.customerId,
  seen: (walls) => walls.configTemplates,
  row: () => getTableColumns(configTemplates),
  parts: {
    main: {
      table: configTemplates,
      id: configTemplates.id,
      fields: {
        name: configTemplates.name,
        remark: configTemplates.remark,
        everywhere: use('coalesce(bool_or(u.group_id is null and u.device_id is null), false)'),
        groupIds: usesOf('group_id'),
        deviceIds: usesOf('device_id'),
        place: use('max(u.place)'),
      },
      hidden: { pages: configTemplates.pages },
    },
  },
  facts: { fields: configTemplates.fields },
  missing: templateRefusals.templateGone,
})

export const storedConfigVariable = stored({
  object: configVariableObject,
  table: configVariables,
  id: configVariables.id,
  name: configVariables.name,
  customerId: configVariables.customerId,
  seen: (walls) => walls.configVariables,
  row: () => getTableColumns(configVariables),
  parts: {
    main: {
      table: configVariables,
      id: configVariables.id,
      fields: { remark: configVariables.remark },
      hidden: {
        values: sql.raw(
          `(select string_agg(concat_ws(' ', x.group_id, x.device_id, x.value), ',' order by x.id) from config_variable_values x where x.variable_id = config_variables.id)`,
        ),
        // Of two simultaneous edits the second one waits for the row and reads it again, but not its values.
        changed: configVariables.updatedAt,
      },
    },
  },
  facts: { isSecret: configVariables.isSecret },
  missing: templateRefusals.variableGone,
})

/**
 * Deleted devices are left out: they are not shown here, and one that is restored has its templates and values again.
 */
export const notOfDeleted = (deviceId: AnyColumn) =>
  sql`not exists (select 1 from ${devices} where ${devices.id} = ${deviceId} and ${devices.deletedAt} is not null)`

/**
 * @throws Refusal 5 unless all of them are the customer's and visible to the actor; for users confined to groups
 * always: templates and variables hold for any device of the customer, and such users do not see them
 */
export async function reachScopes(
  { actor, db }: CallContext,
  customerId: number,
  { groupIds, deviceIds }: { groupIds: readonly number[]; deviceIds: readonly number[] },
): Promise<void> {
  if (actor.groupIds !== null) refuse(sessionRefusals.noPermission)
  const walls = visible(actor)
  const wanted = [new Set(groupIds).size, new Set(deviceIds).size]
  const found = [
    await db.$count(
      groups,
      and(walls.groups, eq(groups.customerId, customerId), inArray(groups.id, [...groupIds])),
    ),
    await db.$count(
      devices,
      and(walls.devices, eq(devices.customerId, customerId), inArray(devices.id, [...deviceIds])),
    ),
  ]
  if (found.some((count, i) => count < (wanted[i] ?? 0))) refuse(absent)
}
