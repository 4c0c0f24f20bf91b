import { and, eq, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import type { DataType } from '#schema/monitor/fields'
import { qualities, qualityCode } from '#schema/monitor/fields'
import { compileFormula, type Formula } from '#schema/monitor/formula/compile'
import { derivedValue, namesOf } from '#schema/monitor/formula/derived'
import { tryFormula } from '#schema/monitor/formula-trial'
import { tryNoticeFormula } from '#schema/monitor/variable-notice'
import { absent } from '#schema/people/session-refusals'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { rowOf } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { storedTemplate } from './template/template-object.ts'
import { staleAfterS } from './variable-values.ts'

const TERMINALS = 50
const NAMES = 500
const formulaError = qualityCode('formulaError')

type Known = {
  name: string
  dataType: DataType
  value: number | null
  quality: number | null
  at: Date | string | null
  stale: boolean | null
}

const terminalsOf = ({ db, actor }: CallContext, templateId: number) =>
  db.execute<{ id: number; name: string }>(sql`
    select t.id, t.name from terminals t join ${devices} on ${devices.id} = t.device_id
    where t.template_id = ${templateId} and not t.hidden and ${visible(actor).devices} order by t.name, t.id limit ${TERMINALS}`)

const newestOf = ({ db }: CallContext, templateId: number, terminalId: number | null) =>
  db.execute<Known>(sql`
    select v.name, v.data_type as "dataType", l.value, l.quality, l.at,
      l.at < now() - interval '1 second' * ${staleAfterS} as stale
    from variables v left join variable_latest l on l.terminal_id = ${terminalId}::int and l.slot = v.slot
    where v.template_id = ${templateId}`)

/** Computed as in the broker: an input that is stale, or was never reported, is missing. */
function computed({ inputs, run, steps }: Formula, known: ReadonlyMap<string, Known>) {
  const used = inputs.flatMap((name) => known.get(name) ?? [])
  const values = used.map(({ value, quality, stale }) => ({
    value: stale ? null : value,
    quality: quality ?? formulaError,
  }))
  const { value, quality } = derivedValue(run, values)
  return {
    inputs: used.map(({ name, at, stale, ...of }) => ({
      name,
      value: of.value,
      quality: of.quality === null ? null : (qualities[of.quality] ?? null),
      at: at === null ? null : new Date(at),
      stale: stale === true,
    })),
    steps: steps(values.map((input) => input.value)),
    value,
    quality: qualities[quality] ?? null,
  }
}

async function tried(
  ctx: CallContext,
  templateId: number,
  { formula: text, terminalId: asked }: { formula: string; terminalId?: number | undefined },
) {
  const terminals = [...(await terminalsOf(ctx, templateId))]
  // A terminal that the user may not see is not among them.
  const chosen = terminals.find(({ id }) => id === asked) ?? terminals[0]
  const terminalId = chosen?.id ?? null
  const all = [...(await newestOf(ctx, templateId, terminalId))]
  const names = namesOf(all)
  const read = compileFormula(text, names)
  const common = { terminalId, terminals, names: [...names].sort().slice(0, NAMES) }
  if ('fault' in read) {
    const { reason, at, text: found = '' } = read.fault
    const fault = { reason, at, text: found }
    return { ...common, fault, inputs: [], steps: [], value: null, quality: null }
  }
  return { ...common, fault: null, ...computed(read.formula, new Map(all.map((row) => [row.name, row]))) }
}

export const tryFormulaHandler = handler(tryFormula, (ctx, body) =>
  tried(ctx, rowOf(ctx, storedTemplate).id, body),
)

/** @throws Refusal 5 if the template of the variable is not visible to the user */
export const tryNoticeFormulaHandler = handler(tryNoticeFormula, async (ctx, body) => {
  const [found] = await ctx.db
    .select({ templateId: variables.templateId })
    .from(variables)
    .innerJoin(collectionTemplates, eq(collectionTemplates.id, variables.templateId))
    .where(and(visible(ctx.actor).own(collectionTemplates.customerId), eq(variables.id, body.variableId)))
  if (!found) refuse(absent, {}, 'variableId')
  return tried(ctx, found.templateId, body)
})
