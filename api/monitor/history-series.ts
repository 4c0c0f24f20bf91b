/** Which variables are requested, for which time range, and whether the actor may see them. */
import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { holdMsOf, wrapOf } from '#schema/monitor/rollup'
import {
  BUCKETS_MAX,
  type getVariableHistory,
  pairsOf,
  RANGE_MAX_MS,
  stepS,
  variableHistoryRefusals,
} from '#schema/monitor/variable-history'
import { absent } from '#schema/people/session-refusals'
import { variables } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import type { Range } from './history-sql.ts'

export type HistoryBody = ParsedBodyOf<typeof getVariableHistory>
type Pair = ReturnType<typeof pairsOf>[number]

export const seriesColumns = {
  terminalId: terminals.id,
  variableId: variables.id,
  terminalName: terminals.name,
  deviceName: devices.name,
  variableName: variables.name,
  unit: variables.unit,
  digits: variables.precision,
  functionType: variables.functionType,
}
/** Variables with numbers, of terminals that the actor may see. */
export const seriesOf = ({ db, actor }: Pick<CallContext, 'db' | 'actor'>, more: ReturnType<typeof and>) =>
  db
    .select({
      ...seriesColumns,
      slot: variables.slot,
      cycleS: variables.cycleS,
      reportType: variables.reportType,
      registers: {
        ioController: variables.ioController,
        dataType: variables.dataType,
        length: variables.length,
        powerAddress: variables.powerAddress,
        factor: variables.factor,
        addend: variables.addend,
      },
      templateSince: terminals.templateSince,
    })
    .from(terminals)
    .innerJoin(devices, eq(devices.id, terminals.deviceId))
    .innerJoin(variables, eq(variables.templateId, terminals.templateId))
    .where(
      and(
        visible(actor).terminals,
        visible(actor).variables(terminals.id, variables.id),
        sql`${variables.dataType} <> 'text'`,
        more,
      ),
    )
export type Series = Awaited<ReturnType<typeof seriesOf>>[number]

export const isPair = (pairs: readonly Pair[]) =>
  or(...pairs.map((one) => and(eq(terminals.id, one.terminalId), eq(variables.id, one.variableId)))) ??
  inArray(terminals.id, [])

/**
 * In the order of the request. @throws Refusal 5 for a variable that the actor may not see, others for a range that is
 * empty or too long.
 */
export async function reachSeries(ctx: CallContext, body: HistoryBody) {
  const range: Range = { fromMs: Date.parse(body.from), toMs: Date.parse(body.to), zone: body.zone }
  const ms = range.toMs - range.fromMs
  if (!(ms > 0)) refuse(variableHistoryRefusals.historyEmpty, {}, 'from')
  if (ms > RANGE_MAX_MS)
    refuse(variableHistoryRefusals.historyTooLong, { days: RANGE_MAX_MS / 86_400_000 }, 'from')
  if (body.step !== 'raw' && ms / 1000 / stepS[body.step] > BUCKETS_MAX)
    refuse(variableHistoryRefusals.bucketsTooMany, { max: BUCKETS_MAX }, 'step')
  const pairs = pairsOf(body)
  if (pairs.length === 0) refuse(variableHistoryRefusals.seriesMissing, {}, 'terminalIds')
  const found = await seriesOf(ctx, isPair(pairs))
  const series = pairs.map(
    (pair) =>
      found.find((one) => one.terminalId === pair.terminalId && one.variableId === pair.variableId) ??
      refuse(absent),
  )
  // Not since its gateway came to the customer: no terminal outlasts a change of owner, and one may be on a later gateway by now.
  const asked = series.map((one) => ({
    terminalId: one.terminalId,
    slot: one.slot,
    sinceMs: one.templateSince.getTime(),
    holdMs: holdMsOf(one),
    meter: one.functionType === 'counter',
    wrapAt: wrapOf({ functionType: one.functionType, ...one.registers }),
    cycleS: one.cycleS,
  }))
  return { range, series, asked }
}

/** Without the fields that only the queries need. */
export const namesOf = ({
  slot: _,
  cycleS: __,
  reportType: ___,
  registers: ____,
  templateSince: _____,
  ...names
}: Series) => names
