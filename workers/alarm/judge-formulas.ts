/**
 * Rules with a formula [decisions/136], evaluated with the newest values of their inputs by the same functions as in
 * the broker. From here on the result is treated like the value of the single variable that other rules watch.
 */
import { qualityCode } from '#schema/monitor/fields'
import {
  conditionsByNotice,
  conditionValue,
  type Known,
  type NoticeFormula,
} from '#schema/monitor/formula/condition'
import { NOTICE_FORMULAS } from '#schema/tables/alarm-rule'
import type { Transaction } from '../kit/processor.ts'

const formulaError = qualityCode('formulaError')

export async function judgeFormulas(tx: Transaction, at: Date): Promise<void> {
  const [some] = await tx`select 1 from watched where operator = 'formula' limit 1`
  if (!some) return
  const formulas = conditionsByNotice(await tx.unsafe<NoticeFormula[]>(NOTICE_FORMULAS))
  const inputs = [...formulas].flatMap(([ruleId, { condition }]) =>
    condition.inputs.map(({ slot }, place) => ({ ruleId, place, slot })),
  )
  const rows = await tx<{ ruleId: number; terminalId: number; known: Known[] }[]>`
    select w.rule_id as "ruleId", w.terminal_id as "terminalId", json_agg(json_build_object('at', l.at[i.slot + 1],
      'value', l.vals[i.slot + 1], 'quality', coalesce(l.quality[i.slot + 1], 0)) order by i.place) as known
    from watched w join unnest(${inputs.map(({ ruleId }) => ruleId)}::int[], ${inputs.map(({ place }) => place)}::int[],
        ${inputs.map(({ slot }) => slot)}::int[]) as i(rule_id, place, slot) on i.rule_id = w.rule_id
      left join terminal_latest l on l.terminal_id = w.terminal_id
    group by 1, 2`
  const judged = rows.flatMap(({ ruleId, terminalId, known }) => {
    const of = formulas.get(ruleId)
    if (!of) return []
    const { value, quality } = conditionValue(of.condition, known, at.getTime())
    const newestAt = Math.max(...known.map((one) => one.at ?? 0))
    const onChange = of.condition.inputs.some((input) => input.onChange)
    return [
      {
        ruleId,
        terminalId,
        value,
        quality,
        newest_at: newestAt,
        on_change: onChange,
        cycle_s: of.cycleMs / 1000,
      },
    ]
  })
  // The result of a formula that no longer fits its template is unknown.
  await tx`update watched set quality = ${formulaError} where operator = 'formula'`
  await tx`
    update watched w set formula_holds = x.value <> 0, quality = x.quality, cycle_s = x.cycle_s, on_change = x.on_change,
      at = case when x.newest_at > 0 then to_timestamp(x.newest_at / 1000) end
    from jsonb_to_recordset(${tx.json(judged)}::jsonb)
      as x("ruleId" int, "terminalId" int, value float8, quality int, newest_at float8, cycle_s int, on_change boolean)
    where w.rule_id = x."ruleId" and w.terminal_id = x."terminalId"`
}
