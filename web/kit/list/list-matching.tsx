/** What "all that match" means, shown before an action: how many, by which filter, with examples. */
import { number } from '../format.ts'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import type { Column, Filter } from './list-types.ts'

const ROWS_SHOWN = 3

function FilterWords({ filter, value }: { filter: Filter; value: string }) {
  const found = filter.useOptions().find((option) => option.value === value)
  return (
    <li>
      {t(filter.label)}: {found?.label ?? value}
    </li>
  )
}

type Props<R> = {
  count: number
  search: string
  filters: readonly Filter[]
  values: Readonly<Record<string, string>>
  columns: readonly Column<R>[]
  rows: readonly R[]
}

/** Its heading column and the next one, if they are plain text: a name and a serial number. */
function nameOf<R>(columns: readonly Column<R>[], row: R): string {
  const field = ({ key, text }: Column<R>) => text?.(row) ?? (row as Record<string, unknown>)[key]
  const from = Math.max(
    0,
    columns.findIndex(({ card }) => card === 'title'),
  )
  return columns
    .slice(from, from + 2)
    .map(field)
    .filter((value) => (typeof value === 'string' || typeof value === 'number') && value !== '')
    .join(' · ')
}

export function Matching<R>({ count, search, filters, values, columns, rows }: Props<R>) {
  const active = filters.filter(({ key }) => values[key])
  const shown = rows.slice(0, ROWS_SHOWN)
  return (
    <div className={classes['matching']}>
      <strong>{t('list:matching.title', { count })}</strong>
      <ul>
        {search === '' ? null : <li>{t('list:matching.search', { text: search })}</li>}
        {active.map((filter) => (
          <FilterWords key={filter.key} filter={filter} value={values[filter.key] ?? ''} />
        ))}
        {search === '' && active.length === 0 ? <li>{t('list:matching.everything')}</li> : null}
      </ul>
      <ol>
        {shown.map((row, index) => (
          <li key={String(index)}>{nameOf(columns, row)}</li>
        ))}
      </ol>
      {count > shown.length ? (
        <span>{t('list:matching.more', { count: number(count - shown.length) })}</span>
      ) : null}
    </div>
  )
}
