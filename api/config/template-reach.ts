import { eq, type SQL, sql } from 'drizzle-orm'
import { configTemplates } from '#schema/tables/config-template'
import { devices } from '#schema/tables/device'
import type { Actor } from '../kit/actor.ts'
import { visible } from '../kit/scope.ts'

/** Devices for which a template holds; none for a template that the actor does not see. */
export const reachedBy = (actor: Actor, templateId: number): SQL =>
  sql`${devices.id} in (
    with recursive uses as (
      select u.group_id, u.device_id, ${configTemplates.customerId} as customer_id from ${configTemplates}
      join config_template_uses u on u.template_id = ${configTemplates.id}
      where ${eq(configTemplates.id, templateId)} and ${visible(actor).configTemplates}),
    tree as (
      select group_id as id from uses where group_id is not null
      union select g.id from groups g join tree on g.parent_id = tree.id)
    select d.id from devices d join tree on tree.id = d.group_id
    union select d.id from uses u join devices d on d.customer_id = u.customer_id
      and (d.id = u.device_id or (u.device_id is null and u.group_id is null)))`
