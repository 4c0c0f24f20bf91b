import { eq, sql } from 'drizzle-orm'
import { getConfigTemplate, getConfigTemplateList } from '#schema/config/config-template'
import { maskValues } from '#schema/config/mask-values'
import { formOfPage, pageNamed } from '#schema/config/page-list'
import { isVariableText } from '#schema/config/template-stack'
import { configTemplates, configTemplateUses } from '#schema/tables/config-template'
import { customers } from '#schema/tables/customer'
import { groups } from '#schema/tables/group'
import { users } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import { editionOf } from '../kit/edition.ts'
import type { CallContext } from '../kit/handler.ts'
import { handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { valuesOf } from './config-template.ts'
import { notOfDeleted, storedConfigTemplate } from './template-object.ts'

const { id, customerId, name, remark, fields, updatedAt, updatedBy } = configTemplates

type Count = { templateId: number; reached: number; behind: number; faulty: number; counting: number }

/** Devices by template; whether they differ is the last result of compareTemplates. */
const countsOf = (ctx: CallContext, ids: readonly number[]) => ctx.sql<Count[]>`
  with recursive tree as (
    select u.template_id, u.group_id as id from config_template_uses u where u.template_id = any(${[...ids]}) and u.group_id is not null
    union select t.template_id, g.id from groups g join tree t on g.parent_id = t.id),
  reached as (
    select t.template_id, d.id from tree t join devices d on d.group_id = t.id where d.deleted_at is null
    union select u.template_id, d.id from config_template_uses u join config_templates c on c.id = u.template_id
      join devices d on d.customer_id = c.customer_id and (d.id = u.device_id or (u.device_id is null and u.group_id is null))
    where u.template_id = any(${[...ids]}) and d.deleted_at is null)
  select r.template_id as "templateId", count(*)::int as reached, count(*) filter (where s.changes > 0)::int as behind,
    count(*) filter (where s.is_faulty)::int as faulty,
    count(*) filter (where s.device_id is null and c.document_hash is not null)::int as counting
  from reached r left join config_template_states s on s.device_id = r.id left join device_configs c on c.device_id = r.id
  group by 1`

export const getConfigTemplateListHandler = listOf(
  getConfigTemplateList,
  storedConfigTemplate,
  ({ db, actor }) => ({
    table: configTemplates,
    rows: db
      .select({
        id,
        customerId,
        customerName: customers.name,
        name,
        remark,
        fields,
        everywhere: sql<boolean>`exists (select 1 from ${configTemplateUses} where ${configTemplateUses.templateId} = ${id}
          and ${configTemplateUses.groupId} is null and ${configTemplateUses.deviceId} is null)`,
        groups: sql<{ id: number; name: string }[]>`coalesce((
          select json_agg(json_build_object('id', ${groups.id}, 'name', ${groups.name}) order by ${groups.name})
          from ${configTemplateUses} join ${groups} on ${groups.id} = ${configTemplateUses.groupId}
          where ${configTemplateUses.templateId} = ${id}), '[]')`,
        deviceCount:
          sql<number>`(select count(*) from ${configTemplateUses} where ${configTemplateUses.templateId} = ${id} and ${configTemplateUses.deviceId} is not null and ${notOfDeleted(configTemplateUses.deviceId)})`.mapWith(
            Number,
          ),
        updatedAt,
        updatedBy: knownName(actor, users, updatedBy),
        edition: editionOf(storedConfigTemplate.parts.main),
      })
      .from(configTemplates)
      .innerJoin(customers, eq(customers.id, customerId))
      .leftJoin(users, eq(users.id, updatedBy)),
  }),
  async (rows, ctx) => {
    const counts = new Map(
      (
        await countsOf(
          ctx,
          rows.map((row) => row.id),
        )
      ).map(({ templateId, ...own }) => [templateId, own]),
    )
    return rows.map((row) => ({
      ...row,
      ...(counts.get(row.id) ?? { reached: 0, behind: 0, faulty: 0, counting: 0 }),
    }))
  },
)

/** The name of a variable in place of a password is not a secret. */
export const maskedPages = (pages: ReturnType<typeof valuesOf>) =>
  Object.fromEntries(
    Object.entries(pages).map(([page, values]) => {
      const known = pageNamed(page)
      return [page, known ? maskValues(formOfPage(known), values, isVariableText) : {}]
    }),
  )

export const getConfigTemplateHandler = handler(getConfigTemplate, async (ctx) => {
  const found = rowOf(ctx, storedConfigTemplate)
  const [own] = await ctx.db
    .select({ edition: editionOf(storedConfigTemplate.parts.main) })
    .from(configTemplates)
    .where(eq(id, found.id))
  const uses = await ctx.sql<
    { groupId: number | null; deviceId: number | null; sn: string | null; place: number }[]
  >`
    select u.group_id as "groupId", u.device_id as "deviceId", d.sn, u.place from config_template_uses u
    left join devices d on d.id = u.device_id where u.template_id = ${found.id} and d.deleted_at is null order by u.id`
  return {
    id: found.id,
    customerId: found.customerId,
    name: found.name,
    remark: found.remark,
    pages: maskedPages(valuesOf(ctx, found.pages)),
    everywhere: uses.some(({ groupId, deviceId }) => groupId === null && deviceId === null),
    groupIds: uses.flatMap(({ groupId }) => groupId ?? []),
    devices: uses.flatMap(({ deviceId, sn }) => (deviceId === null ? [] : [{ id: deviceId, sn: sn ?? '' }])),
    place: uses[0]?.place ?? 100,
    edition: own?.edition ?? '',
  }
})
