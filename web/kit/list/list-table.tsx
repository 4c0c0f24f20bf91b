/**
 * The rows of a list as a table. Every interaction (a key, a checkbox, a refresh) re-renders the page; an unchanged
 * table is not re-rendered, and of a changed one only the cells of changed rows.
 */
import 'mantine-datatable/styles.css'
import { VisuallyHidden } from '@mantine/core'
import { DataTable } from 'mantine-datatable'
import { memo, type ReactNode, useMemo } from 'react'
import { UNKNOWN } from '../format.ts'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import { nameText } from '../known-name.ts'
import { PageLink } from '../page-link.tsx'
import type { ListChange } from './list-state.ts'
import type { Column, RowAction } from './list-types.ts'
import { RowActions } from './row-actions.tsx'
import { useSortMarks } from './sort-marks.ts'
import { TablePager } from './table-pager.tsx'

const NOTHING = <></>

/** The content of a cell. */
export function cellOf<R>(column: Column<R>, row: R): ReactNode {
  const value = column.render ? column.render(row) : nameText((row as Record<string, unknown>)[column.key])
  if (value === null || value === undefined || value === '') return UNKNOWN
  return column.render ? (value as ReactNode) : String(value)
}

/** Buttons and links use `can`, which is not React state: with other permissions they must be re-rendered. */
type Rights = { rights: ReadonlySet<number> }

type CellProps<R> = Rights & { column: Column<R>; row: R; rowLink: ((row: R) => string | null) | undefined }

function DrawnCell<R>({ column, row, rowLink }: CellProps<R>) {
  const drawn = cellOf(column, row)
  const shown = column.card === 'title' && rowLink ? <PageLink to={rowLink(row)}>{drawn}</PageLink> : drawn
  // The library lets the content of a pinned cell overflow, for its shadow.
  return column.card === 'title' && column.pinned ? (
    <div className={classes['pinnedTitle']}>{shown}</div>
  ) : (
    shown
  )
}
const Cell = memo(DrawnCell) as typeof DrawnCell

type ActionsProps<R> = Rights & { row: R; rowActions: (row: R) => readonly RowAction[]; icons: number }
const ActionsOf = <R,>({ row, rowActions, icons }: ActionsProps<R>) => (
  <RowActions actions={rowActions(row)} icons={icons} />
)
const Actions = memo(ActionsOf) as typeof ActionsOf

/** Also as styles: the library keeps the widths of its first rendering, and a title's depends on the window. */
function widthOf({ width }: { width?: number }) {
  if (width === undefined) return {}
  const style = { width, minWidth: width, maxWidth: width }
  return { width, titleStyle: style, cellsStyle: () => style }
}

type Props<R> = Rights & {
  rows: R[]
  keyOf: (row: R) => string
  shown: readonly Column<R>[]
  sorts: readonly string[]
  /** The sort column. */
  sortedBy: string
  descending: boolean
  offset: number
  limit: number
  total: number
  /** `total` is a lower bound. */
  more: boolean
  onChange: (change: ListChange) => void
  rowLink: ((row: R) => string | null) | undefined
  rowActions: ((row: R) => readonly RowAction[]) | undefined
  /** Of the actions of a row; the others are in its menu. */
  icons: number
  /** In px. */
  actionsWidth: number
  /** null: selection is disabled. */
  selected: R[] | null
  onSelect: (next: R[]) => void
  /** `row key:field` of recently changed cells. */
  tinted: ReadonlySet<string>
  fetching: boolean
  padding: number
}

function DrawnTable<R>({ rows, keyOf, shown, sorts, rowLink, rowActions, selected, ...props }: Props<R>) {
  const tableRef = useSortMarks(props.descending)
  const { tinted, rights, actionsWidth, icons } = props
  // The library lays the page out whenever they change.
  const columns = useMemo(
    () => [
      ...shown.map((column) => ({
        accessor: column.key,
        title: t(column.title),
        sortable: sorts.includes(column.sort ?? column.key),
        ...(column.sort ? { sortKey: column.sort } : {}),
        ...widthOf(column),
        ...(column.pinned ? { pinned: column.pinned } : {}),
        textAlign: column.numeric ? ('right' as const) : ('left' as const),
        ellipsis: true,
        cellsClassName: (row: R) =>
          tinted.has(`${keyOf(row)}:${column.key}`) ? classes['changed'] : undefined,
        render: (row: R) => <Cell column={column} row={row} rowLink={rowLink} rights={rights} />,
      })),
      ...(rowActions
        ? [
            {
              accessor: 'row-actions',
              title: <VisuallyHidden>{t('list:actions')}</VisuallyHidden>,
              ...widthOf({ width: actionsWidth }),
              pinned: 'right' as const,
              render: (row: R) => <Actions row={row} rowActions={rowActions} icons={icons} rights={rights} />,
            },
          ]
        : []),
    ],
    [keyOf, shown, sorts, rowLink, rowActions, tinted, rights, actionsWidth, icons],
  )
  return (
    <DataTable<R>
      records={rows}
      idAccessor={keyOf}
      columns={columns}
      sortStatus={{ columnAccessor: props.sortedBy, direction: props.descending ? 'desc' : 'asc' }}
      onSortStatusChange={({ columnAccessor, sortKey, direction }) =>
        props.onChange({ sort: sortKey ?? String(columnAccessor), order: direction })
      }
      {...(selected
        ? {
            selectedRecords: selected,
            onSelectedRecordsChange: props.onSelect,
            allRecordsSelectionCheckboxProps: { 'aria-label': t('list:selectPage') },
            getRecordSelectionCheckboxProps: () => ({ 'aria-label': t('list:selectRow') }),
          }
        : {})}
      page={props.offset}
      onPageChange={(offset) => props.onChange({ offset })}
      totalRecords={props.total}
      recordsPerPage={props.limit}
      renderPagination={() => (
        <TablePager
          offset={props.offset}
          limit={props.limit}
          rows={rows.length}
          total={props.total}
          more={props.more}
          onChange={props.onChange}
        />
      )}
      tableRef={tableRef}
      noRecordsText={t('list:noMatch')}
      // The library's text is only transparent while there are rows: screen readers would read it below them.
      {...(rows.length > 0 ? { emptyState: NOTHING } : {})}
      fetching={props.fetching}
      loaderSize="sm"
      verticalSpacing={props.padding}
      horizontalSpacing={8}
      highlightOnHover
      fz="sm"
    />
  )
}
export const ListTable = memo(DrawnTable) as typeof DrawnTable
