import { SegmentedControl } from '@mantine/core'
import type { ReportRange } from '#schema/report/report'
import { DateField } from '../kit/form/date-field.tsx'
import { t } from '../kit/i18n.ts'
import classes from './report.module.css'

export type RangeState<R extends ReportRange = ReportRange> = { range: R; from: string; to: string }

type Props<R extends ReportRange> = {
  ranges: readonly R[]
  state: RangeState<R>
  onChange: (change: { range?: R; from?: string | null; to?: string | null }) => void
}

/** A named range, or the first and last day of an own one. */
export function RangePicker<R extends ReportRange>({ ranges, state, onChange }: Props<R>) {
  return (
    <>
      <div className={classes['ranges']}>
        <SegmentedControl
          aria-label={t('report:range.label')}
          value={state.range}
          onChange={(chosen) => {
            const range = ranges.find((one) => one === chosen)
            if (range) onChange({ range })
          }}
          data={ranges.map((value) => ({ value, label: t(`report:range.${value}`) }))}
        />
      </div>
      {state.range === 'custom'
        ? (['from', 'to'] as const).map((name) => (
            <DateField
              key={name}
              w={150}
              clearable
              aria-label={t(`report:${name}`)}
              value={state[name]}
              onChange={(day) => onChange({ [name]: day || null })}
            />
          ))
        : null}
    </>
  )
}
