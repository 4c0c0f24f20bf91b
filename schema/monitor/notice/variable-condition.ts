/** The condition of a rule about a variable: as text and as a check (§3, trigger condition). Pure. */
import type { Say } from '#schema/kit/say'
import type { Operator } from './operators.ts'

export { type Operator, operators } from './operators.ts'

/** The PostgreSQL channel on which the broker notifies that some condition has changed. */
export const TRUTHS_CHANNEL = 'variable_truths'

/** Which numbers an operator has. */
type Part = 'formula' | 'low' | 'high' | 'recoverAt' | 'hysteresis' | 'bit' | 'withinS' | 'minutes' | 'forS'
const LIMIT: readonly Part[] = ['low', 'recoverAt', 'forS']
const EQUAL: readonly Part[] = ['low', 'forS']
const RANGE: readonly Part[] = ['low', 'high', 'hysteresis', 'forS']
const BIT: readonly Part[] = ['bit', 'forS']
const parts: Readonly<Record<Operator, readonly Part[]>> = {
  gt: LIMIT,
  ge: LIMIT,
  lt: LIMIT,
  le: LIMIT,
  eq: EQUAL,
  ne: EQUAL,
  between: RANGE,
  outside: RANGE,
  bitOn: BIT,
  bitOff: BIT,
  change: ['low', 'withinS'],
  noData: ['minutes'],
  bad: ['forS'],
  formula: ['formula', 'forS'],
}
export const optionalParts: readonly Part[] = ['recoverAt', 'hysteresis', 'forS']
export const hasPart = (operator: Operator, part: Part): boolean => parts[operator].includes(part)
export const partsOf = (operator: Operator): readonly Part[] => parts[operator]

/** Whether its numbers are values of the variable, entered in the unit and with the factor that it had then. */
export const isAboutValues = (operator: Operator): boolean =>
  hasPart(operator, 'low') || hasPart(operator, 'formula')

/** The condition as alarms keep it: the rule may be changed or deleted later. */
export type AlarmCondition = {
  operator: Operator
  low: number | null
  high: number | null
  bit: number | null
  withinS: number | null
  minutes: number | null
  forS: number
  /** Of the operator of this name. */
  formula: string | null
  unit: string
}

const symbols = { gt: '>', ge: '≥', lt: '<', le: '≤', eq: '=', ne: '≠' } as const
const isSymbol = (operator: Operator): operator is keyof typeof symbols => operator in symbols

/** As values are shown beside it: `4,945`. The languages of the console write numbers alike. */
const shown = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 })
const numberWord = (value: number | null): string => (value === null ? '' : shown.format(value))

/** "> 80 °C for 30 s", in the reader's language. `unit` and numbers are only inserted as values. */
export function conditionWords(of: AlarmCondition, say: Say): string {
  const { operator, unit, forS } = of
  const low = numberWord(of.low)
  const high = numberWord(of.high)
  const held =
    operator === 'formula'
      ? (of.formula ?? '')
      : isSymbol(operator)
        ? `${symbols[operator]} ${low} ${unit}`.trimEnd()
        : say(`alarm:operator.${operator}`, {
            low,
            high,
            unit,
            bit: of.bit ?? '',
            s: of.withinS ?? '',
            n: of.minutes ?? '',
          })
            // A variable without a unit leaves a gap.
            .replace(/ {2,}/g, ' ')
            .trimEnd()
  return forS > 0 ? say('alarm:operator.lasting', { condition: held, s: forS }) : held
}

/** The range that a value must leave to end an alarm; null: any value that is not beyond the threshold ends it. */
export type Limits = {
  operator: Operator
  low: number | null
  high: number | null
  recoverAt: number | null
  hysteresis: number | null
  bit: number | null
}

/** Whether the value fulfils the condition. Only for operators about a value. */
export function isTrue({ operator, low, high, bit }: Limits, value: number): boolean {
  const a = low ?? Number.NaN
  const b = high ?? Number.NaN
  switch (operator) {
    case 'gt':
      return value > a
    case 'ge':
      return value >= a
    case 'lt':
      return value < a
    case 'le':
      return value <= a
    case 'eq':
      return value === a
    case 'ne':
      return value !== a
    case 'between':
      return value >= a && value <= b
    case 'outside':
      return value < a || value > b
    case 'bitOn':
      return bitOf(value, bit ?? 0) === 1
    case 'bitOff':
      return bitOf(value, bit ?? 0) === 0
    case 'formula':
      return value !== 0
    default:
      return false
  }
}

/** Of the integer part; negative numbers as two's complement. */
const bitOf = (value: number, bit: number) => Number((BigInt(Math.trunc(value)) >> BigInt(bit)) & 1n)

/** Whether the value ends an alarm: not beyond, and past the recovery threshold or out of the hysteresis. */
export function isOver(of: Limits, value: number): boolean {
  if (isTrue(of, value)) return false
  const { operator, low, high, recoverAt, hysteresis } = of
  const a = low ?? 0
  const b = high ?? 0
  const h = hysteresis ?? 0
  switch (operator) {
    case 'gt':
    case 'ge':
      return recoverAt === null || value <= recoverAt
    case 'lt':
    case 'le':
      return recoverAt === null || value >= recoverAt
    case 'between':
      return value < a - h || value > b + h
    case 'outside':
      return value >= a + h && value <= b - h
    default:
      return true
  }
}
