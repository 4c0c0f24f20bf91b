/** Creates many variables at once: from a file, a paste, or the library. */
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { nameKey } from '#schema/monitor/template/table'
import { importTemplate } from '#schema/monitor/template-import'
import { saveVariables } from '#schema/monitor/variable'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { handler } from '../kit/handler.ts'
import { ownerOf } from '../kit/owner.ts'
import { checkFormulas } from './formulas.ts'
import { changeable, takenTemplate } from './template/collection-template.ts'
import { type Tx, takeSlots, touchTemplate, type VariableBody, variableColumns } from './variable.ts'

type Many = readonly VariableBody[]

/** In one statement, because each marks the plans of all gateways that have the template: a full template has 27,000 parameters of 65,534. */
async function insertVariables(tx: Tx, templateId: number, many: Many): Promise<void> {
  const first = await takeSlots(tx, templateId, many.length)
  const rows = many.map((fields, i) => ({ ...variableColumns(fields), templateId, slot: first + i }))
  await tx.insert(variables).values(rows)
}

const columnOf: Readonly<Record<string, { name: string } | undefined>> = getTableColumns(variables)

/**
 * All together: each statement marks the plans of all gateways that have the template, which for a thousand variables one by
 * one takes minutes.
 */
async function changeVariables(
  tx: Tx,
  changed: readonly { id: number; fields: VariableBody }[],
  updatedAt: Date,
): Promise<void> {
  const rows = changed.map(({ id, fields }) => {
    const values = Object.entries({ id, ...variableColumns(fields), updatedAt })
    return Object.fromEntries(
      values.flatMap(([key, value]) => {
        const column = columnOf[key]
        return column && value !== undefined ? [[column.name, value]] : []
      }),
    )
  })
  // What a row does not have stays as it is.
  for (const alike of Map.groupBy(rows, (row) => Object.keys(row).join()).values()) {
    const names = Object.keys(alike[0] ?? {}).filter((name) => name !== 'id')
    const set = names.map((name) => sql`${sql.identifier(name)} = r.${sql.identifier(name)}`)
    await tx.execute(sql`
      update ${variables} v set ${sql.join(set, sql`, `)}
      from jsonb_populate_recordset(null::${variables}, ${JSON.stringify(alike)}::text::jsonb) r where v.id = r.id`)
  }
}

/** Two with one name in a list would collide in the template. */
function refuseTwins(many: Many): void {
  const seen = new Set<string>()
  for (const { name } of many) {
    const key = nameKey(name)
    if (seen.has(key)) refuse(monitorRefusals.variableNameTaken, { name }, 'variables')
    seen.add(key)
  }
}

export const saveVariablesHandler = handler(saveVariables, async (ctx, { variables: many }) => {
  const template = changeable(ctx)
  refuseTwins(many)
  return ctx.db.transaction(async (tx) => {
    // Serializes saves of the same template.
    await touchTemplate(tx, template.id)
    const keys = sql`name_key(${variables.name})`
    const known = await tx
      .select({ id: variables.id, key: sql<string>`${keys}` })
      .from(variables)
      .where(eq(variables.templateId, template.id))
    const ids = new Map(known.map(({ id, key }) => [key, id]))
    const named = await tx.execute<{ key: string }>(sql`
      select name_key(name) as key from unnest(${sql.param(many.map(({ name }) => name))}::text[]) with ordinality as n(name, i) order by i`)
    const fresh: VariableBody[] = []
    const changed: { id: number; fields: VariableBody }[] = []
    for (const [i, fields] of many.entries()) {
      const id = ids.get(named[i]?.key ?? '')
      if (id === undefined) fresh.push(fields)
      else changed.push({ id, fields })
    }
    await changeVariables(tx, changed, ctx.now())
    if (fresh.length > 0) await insertVariables(tx, template.id, fresh)
    await checkFormulas(tx, template.id, { field: 'variables' })
    const counts = { added: fresh.length, changed: changed.length }
    ctx.note({ after: counts })
    return counts
  })
})

export const importTemplateHandler = handler(importTemplate, async (ctx, body) => {
  const { customerId: _, variables: many, libraryKey, ...fields } = body
  refuseTwins(many)
  const made = ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(collectionTemplates)
      .values({
        ...fields,
        vendor: fields.vendor || null,
        remark: fields.remark || null,
        libraryKey: libraryKey ?? null,
        customerId: ownerOf(ctx),
        createdBy: ctx.actor.userId,
      })
      .returning({ id: collectionTemplates.id })
    if (!row) throw new Error('insert returned nothing')
    if (many.length > 0) await insertVariables(tx, row.id, many)
    await checkFormulas(tx, row.id, { field: 'variables' })
    return row
  })
  return made.catch(takenTemplate(fields.name))
})
