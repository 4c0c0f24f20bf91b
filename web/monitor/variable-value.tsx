/** How the newest value of a variable is shown: never a number without its quality, never 0 for what is not known. */
import { Text } from '@mantine/core'
import type { getVariableValues } from '#schema/monitor/variable-values'
import { SparkLine } from '../kit/chart/spark-line.tsx'
import { fixed, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { unitText } from './variable-columns.tsx'

export type Value = Row<typeof getVariableValues>

const isSwitch = ({ dataType }: Pick<Value, 'dataType'>) => dataType === 'bool' || dataType === 'bit'

/** Without its unit. */
export function valueText(row: Pick<Value, 'value' | 'text' | 'dataType' | 'precision'>): string {
  if (row.text !== null) return row.text
  if (row.value === null) return UNKNOWN
  if (isSwitch(row)) return t(row.value === 0 ? 'variable:off' : 'variable:on')
  // Digits that come and go would make a value that changes jump.
  return fixed(row.value, row.precision)
}

/** For CSV: a number stays one, since `1,620` is 1.62 for spreadsheets of many countries, and `-5.2` a formula. */
export const valueCell = (row: Pick<Value, 'value' | 'text' | 'dataType' | 'precision'>): string | number =>
  row.value === null || row.text !== null || isSwitch(row)
    ? valueText(row)
    : Number(row.value.toFixed(row.precision))

export function ValueCell({ row }: { row: Value }) {
  const unit = unitText(row.unit)
  return (
    <Text span className="tabular" c={isDoubtful(row) ? 'dimmed' : undefined}>
      {valueText(row)}
      {row.value === null || unit === '' ? '' : ` ${unit}`}
    </Text>
  )
}

/** The last day by the hour, and now; in the first hours the last two. */
export function TrendCell({ row }: { row: Pick<Value, 'trend' | 'trendMinutes' | 'value'> }) {
  if (row.trend.length === 0) return UNKNOWN
  return (
    <div title={t('variable:trendOf', { count: (row.trend.length * row.trendMinutes) / 60 })}>
      <SparkLine values={[...row.trend, row.value]} />
    </div>
  )
}

export type ValueState = 'none' | 'stale' | NonNullable<Value['quality']>
export const stateOfValue = ({ quality, stale }: Pick<Value, 'quality' | 'stale'>): ValueState =>
  quality === null ? 'none' : quality === 'good' && stale ? 'stale' : quality

const toneOf = (state: ValueState): Tone =>
  state === 'good'
    ? 'online'
    : state === 'none'
      ? 'offline'
      : state === 'stale' || state === 'outOfRange' || state === 'uncertainTime'
        ? 'warning'
        : 'major'

const stateText = (state: ValueState) =>
  state === 'none' || state === 'stale' ? t(`variable:state.${state}`) : t(`variable:quality.${state}`)

export const isDoubtful = (row: Value) => stateOfValue(row) !== 'good' || !row.deviceOnline

/** The good value of an offline gateway is only its last one. */
const isOnlyLast = (row: Value) => !row.deviceOnline && ['good', 'stale'].includes(stateOfValue(row))

export const qualityText = (row: Value) =>
  isOnlyLast(row) ? t('kit:tone.offline') : stateText(stateOfValue(row))

/** Where the value is not good, with the newest one that was. */
export function QualityChip({ row }: { row: Value }) {
  const state = stateOfValue(row)
  const last =
    row.goodAt !== null && row.quality !== 'good'
      ? t('variable:last', {
          value: `${valueText({ ...row, value: row.goodValue, text: null })} ${unitText(row.unit)}`.trim(),
        })
      : undefined
  return (
    <StatusChip
      tone={isOnlyLast(row) ? 'offline' : toneOf(state)}
      label={qualityText(row)}
      hint={row.deviceOnline ? last : t('variable:offline')}
    />
  )
}
