/** The templates and variables of customers, decrypted: for code that needs the values of many devices. */

import type { PageValues } from '#schema/config/many-change'
import type { Scope, TemplateBook } from '#schema/config/template-stack'
import type { Sql, Transaction } from '../postgres.ts'
import { ifReadable, unseal } from '../secrets.ts'
import { keptPages } from './kept-values.ts'

type TemplateRow = { id: number; customerId: number; name: string; pages: string }
type UseRow = Scope & { customerId: number; templateId: number; place: number }
type ValueRow = Scope & { customerId: number; name: string; value: string }
type GroupRow = { id: number; customerId: number; parentId: number | null }

/** By customer, to be decrypted; one without templates has an empty book. */
async function loadSealed(
  tx: Sql | Transaction,
  customerIds: readonly number[],
  key: string,
): Promise<[number, () => TemplateBook][]> {
  const ids = [...customerIds]
  const templates = await tx<TemplateRow[]>`
    select id, customer_id as "customerId", name, pages from config_templates where customer_id = any(${ids}) order by id`
  const uses = await tx<UseRow[]>`
    select t.customer_id as "customerId", u.template_id as "templateId", u.group_id as "groupId", u.device_id as "deviceId", u.place
    from config_template_uses u join config_templates t on t.id = u.template_id where t.customer_id = any(${ids})`
  const values = await tx<ValueRow[]>`
    select v.customer_id as "customerId", v.name, x.group_id as "groupId", x.device_id as "deviceId", x.value
    from config_variable_values x join config_variables v on v.id = x.variable_id where v.customer_id = any(${ids})`
  const groups = await tx<GroupRow[]>`
    select id, customer_id as "customerId", parent_id as "parentId" from groups where customer_id = any(${ids})`
  const of = <R extends { customerId: number }>(rows: readonly R[], id: number) =>
    rows.filter(({ customerId }) => customerId === id)
  return ids.map((id) => [
    id,
    () => ({
      templates: of(templates, id).map(({ id: own, name, pages }) => ({
        id: own,
        name,
        pages: keptPages(JSON.parse(unseal(pages, key)) as PageValues),
      })),
      uses: of(uses, id),
      variables: [...Map.groupBy(of(values, id), ({ name }) => name)].map(([name, some]) => ({
        name,
        values: some.map((one) => ({ ...one, value: unseal(one.value, key) })),
      })),
      parents: new Map(of(groups, id).map(({ id: own, parentId }) => [own, parentId])),
    }),
  ])
}

/** By customer. @throws OtherKey */
export const loadTemplates = async (...of: Parameters<typeof loadSealed>) =>
  new Map((await loadSealed(...of)).map(([id, open]) => [id, open()]))

/** By customer; null for one whose templates were encrypted with another key. */
export const readableTemplates = async (...of: Parameters<typeof loadSealed>) =>
  new Map((await loadSealed(...of)).map(([id, open]) => [id, ifReadable(open)]))
