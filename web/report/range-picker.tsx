import { SegmentedControl } from '@mantine/core'
import { Suspense, useEffect, useRef } from 'react'
import type { ReportRange } from '#schema/report/report'
import { lazy } from '../kit/chunk.ts'
import { t } from '../kit/i18n.ts'
import classes from './report.module.css'

/** With the other fields of forms; only an own range needs it. */
const DateField = lazy(() =>
  import('../kit/form/date-field.tsx').then((module) => ({ default: module.DateField })),
)

export type RangeState<R extends ReportRange = ReportRange> = { range: R; from: string; to: string }

type Props<R extends ReportRange> = {
  ranges: readonly R[]
  state: RangeState<R>
  onChange: (change: { range?: R; from?: string | null; to?: string | null }) => void
}

/** A named range, or the first and last day of an own one. */
export function RangePicker<R extends ReportRange>({ ranges, state, onChange }: Props<R>) {
  const box = useRef<HTMLDivElement>(null)
  // On a phone they are wider than the window, and the chosen one may be out of sight.
  useEffect(() => {
    const chosen = box.current?.querySelector(`input[value="${state.range}"] + label`)
    if (!box.current || !chosen) return
    const [outer, inner] = [box.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    box.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  }, [state.range])
  return (
    <>
      <div ref={box} className={classes['ranges']}>
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
            <Suspense key={name} fallback={<div style={{ width: 150 }} />}>
              <DateField
                w={150}
                clearable
                aria-label={t(`report:${name}`)}
                value={state[name]}
                onChange={(day) => onChange({ [name]: day || null })}
              />
            </Suspense>
          ))
        : null}
    </>
  )
}
