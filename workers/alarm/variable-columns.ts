/** The data that an alarm copies from its variable or terminal when it is opened, because it outlives both. */
import { qualities } from '#schema/monitor/fields'
import type { Transaction } from '../kit/processor.ts'

/** A number that `real` cannot hold would make the whole statement fail. */
export const asReal = (tx: Transaction, column: string) =>
  tx`case when ${tx(column)} = 0 or abs(${tx(column)}) between 1e-37 and 1e38 then ${tx(column)}::real end`

/** The subject begins with the terminal's id. Other kinds have subjects of their own, which are no numbers. */
export const variableJoins = (tx: Transaction) => tx`
  left join alarm_conditions c on c.rule_id = r.id
  left join variables v on v.id = c.variable_id
  left join terminals t on t.id = case when r.kind in ('variable', 'terminalSilent') then split_part(p.subject, '/', 1)::int end`

/**
 * The unit that the values of `v` have now, which a condition `c` copied when it was saved: an alarm with the new value
 * and the former unit would be wrong by the factor between them. "-" means no unit.
 */
export const unitNow = (tx: Transaction) =>
  tx`case when v.id is null then c.unit when v.unit = '-' then '' else v.unit end`

export const variableColumns = (tx: Transaction) => tx`
  coalesce(r.threshold, ${asReal(tx, 'c.low')}) as threshold, t.id as terminal_id, t.name as terminal_name,
  v.id as variable_id, coalesce(v.name, c.variable_name) as variable_name,
  case when c.rule_id is not null then jsonb_build_object('operator', c.operator, 'low', c.low, 'high', c.high, 'bit', c.bit,
    'withinS', c.within_s, 'minutes', c.minutes, 'forS', r.for_seconds, 'formula', c.formula, 'unit', ${unitNow(tx)}) end as condition`

/** The value with its unit ("87.5 °C") of the watched variable `w`. */
export const shown = (tx: Transaction, value: string) =>
  tx`rtrim(round(${tx(value)}::numeric, least(greatest(w.digits, 0), 12))::text || ' ' || w.unit)`

export const qualityName = (tx: Transaction, code: string) =>
  tx`(${qualities as unknown as string[]}::text[])[${tx(code)} + 1]`
