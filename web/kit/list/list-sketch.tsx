/** A picture of the rows that an empty list will have: its columns, and grey bars for their values. */
import { t } from '../i18n.ts'
import classes from './list-sketch.module.css'
import type { Column } from './list-types.ts'

const COLUMNS_SHOWN = 6
const COLUMNS_NARROW = 3
const ROWS = 2
/** Of different lengths, as names and numbers are. */
const WIDTHS = ['70%', '45%', '60%', '35%', '55%', '40%']

export function ListSketch<R>({ columns, narrow }: { columns: readonly Column<R>[]; narrow: boolean }) {
  const shown = columns.slice(0, narrow ? COLUMNS_NARROW : COLUMNS_SHOWN)
  const titles = shown.map(({ title }) => t(title))
  return (
    <div
      className={classes['sketch']}
      role="img"
      aria-label={t('list:sketch', { columns: titles.join(t('kit:comma')) })}
    >
      {titles.map((title, column) => (
        <div key={shown[column]?.key}>
          <span>{title}</span>
          {Array.from({ length: ROWS }, (_, row) => (
            <i key={String(row)} style={{ width: WIDTHS[(column + row * 2) % WIDTHS.length] }} />
          ))}
        </div>
      ))}
    </div>
  )
}
