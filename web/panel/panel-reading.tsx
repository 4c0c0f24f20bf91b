/** Parts shared by widgets: a title, the age of a value, and the text for missing values. */
import { Skeleton } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { emsOf } from '../kit/chart/text-width.ts'
import { t } from '../kit/i18n.ts'
import { useSlow } from '../kit/slow.ts'
import { When } from '../kit/time.tsx'
import { unitText } from '../monitor/variable-columns.tsx'
import { isDoubtful, QualityChip, type Value, valueText } from '../monitor/variable-value.tsx'
import classes from './panel.module.css'
import type { Widget } from './panel-draft.ts'
import type { Values } from './panel-values.ts'

export type WidgetProps = { widget: Widget; values: Values; panelId: number }

export const Note = ({ children }: { children: ReactNode }) => (
  <div className={classes['note']}>{children}</div>
)

/** As large as what comes in its place. */
export const Loading = () => (
  <div className={classes['loading']} aria-busy>
    {useSlow(true) ? <Skeleton h="100%" /> : null}
  </div>
)

/** Why a value is not reliable; empty if it is. */
export function Doubt({ row }: { row: Value }) {
  return isDoubtful(row) ? <QualityChip row={row} /> : null
}

/** How good a value is, and how old. */
export function Age({ row }: { row: Value }) {
  return (
    <div className={classes['age']}>
      <Doubt row={row} />
      {row.at ? <When at={row.at} /> : null}
    </div>
  )
}

/** A widget of one variable; without a variable it shows what is missing. */
export function OfOne({ widget, values, children }: WidgetProps & { children: (row: Value) => ReactNode }) {
  const [variable] = widget.variables
  if (!variable) return <Note>{t('panel:noVariable')}</Note>
  const row = values.of(variable)
  if (row === undefined) return <Loading />
  if (row === null) return <Note>{t('panel:gone')}</Note>
  return children(row)
}

/** The number as large as its widget allows, with its unit and age. */
export function Reading({ row }: { row: Value }) {
  const text = valueText(row)
  const unit = row.value === null ? '' : unitText(row.unit)
  // As panel.module.css draws it: the unit after a space, about half as large.
  const ems = emsOf(text) + (unit === '' ? 0 : 0.5 + 0.55 * emsOf(unit))
  const size = { '--ems': Math.max(2.4, ems) } as CSSProperties
  return (
    <div className={classes['figure']}>
      <div className={`${classes['number']} tabular`} style={size} data-doubt={isDoubtful(row) || undefined}>
        {text} <small>{unit}</small>
      </div>
      <Age row={row} />
    </div>
  )
}

/** As its user named it, or its variable. */
export function titleOf(widget: Widget, values: Values): string {
  const [only, ...more] = widget.variables
  const row = only && more.length === 0 ? values.of(only) : null
  return widget.title || (row ? `${row.terminalName} · ${row.name}` : t(`panel:kind.${widget.kind}`))
}
