/** Formulas of a template are checked after each change of its variables, within the transaction: a new name may break others. */
import { eq } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { CHAIN_MAX } from '#schema/monitor/formula/chain'
import { type DerivedFault, derivedFault, isDerived } from '#schema/monitor/formula/derived'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { variables } from '#schema/tables/collection-template'
import type { CallContext } from '../kit/handler.ts'
import { checkConditionsOf } from './notice-conditions.ts'
import { checkNoticesOf } from './notice-formulas.ts'

type Tx = Parameters<Parameters<CallContext['db']['transaction']>[0]>[0]

/** What the request changes: a variable by name, a list of them in a field, or a deleted one. */
type About = { name: string } | { field: string } | null

const fieldOf = (about: About, wrong: DerivedFault): string | undefined => {
  if (about === null) return undefined
  if ('field' in about) return about.field
  return 'fault' in wrong && wrong.name !== about.name ? 'name' : 'formula'
}

export async function checkFormulas(tx: Tx, templateId: number, about: About): Promise<void> {
  await checkNoticesOf(tx, templateId, about === null ? undefined : 'field' in about ? about.field : 'name')
  if (about) await checkConditionsOf(tx, templateId, 'name' in about ? about.name : undefined)
  const { name, ioController, formula, dataType } = variables
  const all = await tx
    .select({ name, ioController, formula, dataType })
    .from(variables)
    .where(eq(variables.templateId, templateId))
    .orderBy(variables.slot)
  if (!all.some(isDerived)) return
  const wrong = derivedFault(all)
  if (!wrong) return
  const field = fieldOf(about, wrong)
  if ('cycle' in wrong) refuse(monitorRefusals.formulaCycle, { names: wrong.cycle.join(' → ') }, field)
  if ('tooLong' in wrong)
    refuse(monitorRefusals.formulaChain, { names: wrong.tooLong.join(' → '), max: CHAIN_MAX }, field)
  const { reason, at, text = '' } = wrong.fault
  if (reason === 'unknownName' || reason === 'unknownFunction')
    refuse(monitorRefusals.formulaUnknownName, { name: wrong.name, at: at + 1, text }, field)
  refuse(monitorRefusals.formulaUnreadable, { name: wrong.name, at: at + 1 }, field)
}
