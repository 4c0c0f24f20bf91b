import { Checkbox, Group, Pagination, Text } from '@mantine/core'
import { UNKNOWN } from '../format.ts'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import { PageLink } from '../page-link.tsx'
import type { ListChange, ListState } from './list-state.ts'
import type { Column, RowAction } from './list-types.ts'
import { lastPage } from './page-number.ts'
import { RowActions } from './row-actions.tsx'

type Props<R> = {
  rows: readonly R[]
  keyOf: (row: R) => string
  columns: readonly Column<R>[]
  cell: (column: Column<R>, row: R) => React.ReactNode
  rowLink: ((row: R) => string | null) | undefined
  rowActions: ((row: R) => readonly RowAction[]) | undefined
  selectable: boolean
  isSelected: (row: R) => boolean
  onToggle: (row: R) => void
}

/** Below 768 px rows are cards: a heading, what is beside it, and the other columns as lines. */
export function ListCards<R>({ rows, keyOf, columns, cell, rowLink, ...props }: Props<R>) {
  const title = columns.find(({ card }) => card === 'title') ?? columns[0]
  const beside = columns.filter((column) => column !== title && column.card === 'beside')
  const isLine = ({ card = 'wide' }: Column<R>) => card === 'wide' || card === 'seldom'
  const lines = columns.filter((column) => column !== title && isLine(column))
  return rows.map((row) => (
    <article
      key={keyOf(row)}
      className={classes['rowCard']}
      data-selected={props.isSelected(row) || undefined}
    >
      <Group gap={8} wrap="nowrap" mb={8}>
        {props.selectable ? (
          <Checkbox
            size="sm"
            aria-label={t('list:selectRow')}
            checked={props.isSelected(row)}
            onChange={() => props.onToggle(row)}
          />
        ) : null}
        <Text fw={600} className={classes['cardName'] ?? ''} component="div">
          {title &&
            (rowLink ? <PageLink to={rowLink(row)}>{cell({ ...title }, row)}</PageLink> : cell(title, row))}
        </Text>
        {beside.map((column) => (
          <span key={column.key}>{cell(column, row)}</span>
        ))}
        {props.rowActions ? <RowActions actions={props.rowActions(row)} icons={0} /> : null}
      </Group>
      <dl className={classes['facts']} style={{ '--fact-width': '130px', gap: '6px 12px' }}>
        {lines.map((column) => {
          const drawn = cell(column, row)
          if (column.card === 'seldom' && drawn === UNKNOWN) return null
          return (
            <div
              key={column.key}
              style={column.prose || column.card === 'wide' ? { gridColumn: '1 / -1' } : undefined}
            >
              <dt>{t(column.title)}</dt>
              <dd>{drawn}</dd>
            </div>
          )
        })}
      </dl>
    </article>
  ))
}

export function CardsPager({
  state,
  total,
  more,
  onChange,
}: {
  state: ListState
  total: number
  /** `total` is a lower bound. */
  more: boolean
  onChange: (change: ListChange) => void
}) {
  return (
    <div className={classes['pager']}>
      <Text size="xs" c="dimmed">
        {more
          ? t('list:range', {
              from: (state.offset - 1) * state.limit + 1,
              to: state.offset * state.limit,
              total: `${total}+`,
            })
          : t('list:total', { count: total })}
      </Text>
      <Pagination
        size="sm"
        siblings={0}
        total={lastPage(total, state.limit)}
        value={state.offset}
        onChange={(offset) => onChange({ offset })}
        getControlProps={(control) => ({ 'aria-label': t(`list:page.${control}`) })}
      />
    </div>
  )
}
