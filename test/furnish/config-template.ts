import { seal } from '#infra/secrets'
import { furnish } from '../furnish.ts'

/** A template for the root group, with a secret variable, both named after their customer. */
export const furnishConfigTemplate = furnish(async ({ sql, env }, { name, customerId, groups, devices }) => {
  const [template] = await sql<{ id: number }[]>`
    insert into config_templates (customer_id, name, pages, fields)
    values (${customerId}, ${`${name} template`}, ${seal(JSON.stringify({ wan: { hostname: `${name}-host` } }), env.JWT_SECRET)}, '{"wan":["hostname"]}')
    returning id`
  const [variable] = await sql<{ id: number }[]>`
    insert into config_variables (customer_id, name, is_secret)
    values (${customerId}, ${`${name.replace(/\W/g, '')}-variable`}, false) returning id`
  await sql`
    insert into config_template_uses (template_id, group_id, place) values (${template?.id ?? 0}, ${groups.root}, 100)`
  await sql`
    insert into config_variable_values (variable_id, group_id, value)
    values (${variable?.id ?? 0}, ${groups.root}, ${seal(`${name} value`, env.JWT_SECRET)})`
  const scopes = { groupIds: [groups.root], deviceIds: [devices[0]?.id ?? 0] }
  return {
    own: {
      'configTemplate/getConfigTemplate': { id: template?.id },
      'configTemplate/addConfigTemplate': scopes,
      'configTemplate/modifyConfigTemplate': { id: template?.id, ...scopes },
      'configTemplate/getTemplateImpact': { id: template?.id, ...scopes },
      'configTemplate/deleteConfigTemplate': { id: template?.id },
      'configVariable/modifyConfigVariable': { id: variable?.id },
      'configVariable/deleteConfigVariable': { id: variable?.id },
    },
  }
})
