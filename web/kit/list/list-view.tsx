import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { memo, type ReactNode, useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react'
import type { BodyOf } from '#schema/kit/call'
import { NO_PERMISSION } from '../api.ts'
import { Empty } from '../empty.tsx'
import { ReadBar } from '../error-bar.tsx'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import { useNarrow } from '../narrow.ts'
import { useCall } from '../query.ts'
import { heldRights } from '../session.ts'
import { useSlow } from '../slow.ts'
import { useLiveRows } from './changed-cells.ts'
import { useLatest } from './latest.ts'
import { ListBulkBar } from './list-bulk.tsx'
import { CardsPager, ListCards } from './list-cards.tsx'
import { useExport } from './list-export.ts'
import { actionsPx, drawn, iconsFor, SELECTION_PX, useWidth } from './list-fit.ts'
import { Matching } from './list-matching.tsx'
import { useNaturals } from './list-naturals.ts'
import { useColumns, useDensity } from './list-preferences.ts'
import { useSelection } from './list-selection.ts'
import { ListSketch } from './list-sketch.tsx'
import { type ListChange, questionOf, useListState } from './list-state.ts'
import { cellOf, ListTable } from './list-table.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import type { AnyList, ListContext, ListOptions, Row, SideProps } from './list-types.ts'
import { useLastPage } from './page-number.ts'

const NONE = [] as const
/** Below this width there is nothing beside the list. */
const SIDE_BY_SIDE_PX = 940
const ROW_PADDING = { compact: 4, comfortable: 8 } as const

/**
 * The component beside the list: not re-rendered while rows change, but when permissions change, because buttons use
 * `can`.
 */
const BesideList = memo(
  ({
    Side,
    filters,
    onChange,
    narrow,
  }: Pick<SideProps, 'filters' | 'narrow'> & {
    Side: (side: SideProps) => ReactNode
    onChange: (change: ListChange) => void
    rights: ReadonlySet<number>
  }) => <Side filters={filters} choose={(chosen) => onChange({ filters: chosen })} narrow={narrow} />,
)

/**
 * One declared list: search, filters, sort, paging, refreshing, selection, export. `children` may read its context.
 */
export function ListView<C extends AnyList>(options: ListOptions<C>) {
  type R = Row<C>
  const { call, columns, rowLink, rowActions, bulk = NONE } = options
  const filters = options.filters ?? NONE
  const [state, change] = useListState(filters, options.refreshS ?? 0, options.prefix)
  // The question is asked first, and then the tools and the table are drawn again: a click is answered at once.
  const drawnState = useDeferredValue(state)
  const narrow = useNarrow()
  const [density] = useDensity()
  const [widthRef, width] = useWidth()
  const listElement = useRef<HTMLDivElement>(null)
  const listRef = useCallback(
    (element: HTMLDivElement | null) => {
      listElement.current = element
      widthRef(element)
    },
    [widthRef],
  )
  const [sidedRef, sidedWidth] = useWidth()

  const question = questionOf(options, state)
  const { filter, sorted } = question
  const body = question.body as BodyOf<C>
  const { rowKey } = options
  const keyOf = useCallback(
    (row: R) =>
      typeof rowKey === 'function' ? rowKey(row) : String((row as Record<string, unknown>)[rowKey]),
    [rowKey],
  )
  const selection = useSelection<R>(keyOf, filter)
  const paused = state.refresh > 0 && selection.count > 0
  const query = useCall(call, body, { keepPrevious: true, refreshS: paused ? 0 : state.refresh })
  const slow = useSlow(query.isPending || query.isPlaceholderData)
  const data = query.data as { list: R[]; total: number; more?: boolean } | undefined
  const answered = data?.list ?? (NONE as unknown as R[])
  const live = useLiveRows(answered, keyOf, JSON.stringify(body), query.isPlaceholderData)
  const rows = live.rows
  // Before the answer to the present question is there, the rows answer the one before it.
  const answer = { rows, page: query.isPlaceholderData || !data ? '' : JSON.stringify(body) }
  selection.follow(answer)
  const boxes = bulk.length > 0 ? SELECTION_PX : 0
  const [icons, actionsWidth] = useMemo(() => {
    if (!rowActions) return [0, 0] as const
    const counts = rows.map((row) => rowActions(row).length)
    const usual = columns.filter(({ extra }) => !extra)
    const shown = iconsFor(usual, narrow ? 0 : width - boxes, counts)
    return [shown, actionsPx(counts, shown)] as const
  }, [rows, rowActions, columns, narrow, width, boxes])
  const beside = boxes + actionsWidth
  const [naturals, measure] = useNaturals(JSON.stringify(body))
  // Cards have room for all columns.
  const chosen = useColumns(call.name, columns, narrow ? 0 : width - beside, naturals)
  const drawnKeys = drawn(chosen.shown)
    .map(({ key }) => key)
    .join()
  // Not when only widths change: they follow from what is measured.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is measured changes with these only
  useLayoutEffect(() => {
    if (!narrow) measure(listElement.current, drawnKeys.split(','))
  }, [rows, drawnKeys, narrow])
  const selectable = bulk.length > 0
  // A click in a row marks the row first; then the bar with the actions takes the place of the tools.
  const counted = useDeferredValue(selection.count)
  const barred = selection.count > 0 && counted > 0
  const selected = useMemo(
    () => (selectable ? rows.filter(selection.has) : null),
    [selectable, rows, selection.has],
  )
  const onChange = useLatest(change)
  const onSelect = useLatest((next: R[]) => selection.setPage(answer, next))
  const total = data?.total ?? 0
  const known = query.isPlaceholderData ? undefined : data?.list
  const isBeyond = useLastPage(known, { ...state, total }, (offset) => change({ offset }))
  const more = data?.more === true
  const exporting = useExport(options, { filter, sorted, columns: chosen.wanted })

  const filtering = state.search !== '' || Object.values(state.filters).some((value) => value !== '')
  const context: ListContext = { filter, total: data?.total, reload: () => void query.refetch() }
  const clearFilters = () =>
    change({ search: '', filters: Object.fromEntries(filters.map(({ key }) => [key, ''])) })

  const clear = (
    <Button variant="default" onClick={clearFilters}>
      {t('list:clearFilters')}
    </Button>
  )
  const nothing = filtering ? (
    <Empty kind="noMatch" text={t(more ? 'list:more' : 'list:noMatchText')} action={clear} />
  ) : (
    <>
      <ListSketch columns={chosen.shown} narrow={narrow} />
      {options.empty?.(context) ?? <Empty />}
    </>
  )
  const rights = heldRights()
  const onRefresh = useLatest(context.reload)
  const onExport = useLatest(() => void exporting.run())
  const { Side } = options
  const stacked = narrow || sidedWidth < SIDE_BY_SIDE_PX
  const refused = query.error?.code === NO_PERMISSION
  if (refused && !data && !filtering) return <Empty kind="noPermission" />
  // A filter, maybe of a saved view or an old bookmark, names what was deleted, is not visible any more or was renamed:
  // not the list is refused.
  const filterGone = filtering && (refused || query.error?.field !== undefined)

  const content = () => {
    if (filterGone)
      return (
        <Empty kind="noMatch" title={t('list:filterGone')} text={t('list:filterGoneText')} action={clear} />
      )
    // The bar above says what is wrong.
    if (!data && query.error) return null
    if (!data || isBeyond)
      return (
        <Stack gap={12} p={12} mih={400} aria-busy={query.isPending}>
          {slow ? Array.from({ length: 8 }, (_, i) => <Skeleton key={String(i)} height={22} />) : null}
        </Stack>
      )
    if (rows.length === 0 && state.offset === 1) return nothing
    if (narrow)
      return (
        <>
          <ListCards
            rows={rows}
            keyOf={keyOf}
            columns={chosen.shown}
            cell={cellOf}
            rowLink={rowLink}
            rowActions={rowActions}
            selectable={bulk.length > 0}
            isSelected={selection.has}
            onToggle={(row) => selection.setPage({ ...answer, rows: [row] }, selection.has(row) ? [] : [row])}
          />
          <CardsPager state={state} total={total} more={more} onChange={change} />
        </>
      )
    return (
      <ListTable<R>
        rows={rows}
        keyOf={keyOf}
        shown={chosen.shown}
        sorts={call.sorts}
        sortedBy={columns.find(({ sort }) => sort && sort === drawnState.sort)?.key ?? drawnState.sort}
        descending={drawnState.order === 'desc'}
        offset={drawnState.offset}
        limit={drawnState.limit}
        total={total}
        more={more}
        onChange={onChange}
        rowLink={rowLink}
        rowActions={rowActions}
        icons={icons}
        actionsWidth={actionsWidth}
        selected={selected}
        onSelect={onSelect}
        tinted={live.tinted}
        rights={rights}
        fetching={slow && query.isPlaceholderData}
        padding={ROW_PADDING[density] ?? ROW_PADDING.compact}
      />
    )
  }
  const list = (
    <>
      {filterGone ? null : <ReadBar read={query} />}
      <div
        ref={listRef}
        className={classes['list']}
        onPointerEnter={live.onPointerEnter}
        onPointerLeave={live.onPointerLeave}
      >
        {barred ? (
          <ListBulkBar
            actions={bulk}
            selection={selection.asSelection(
              total,
              <Matching
                count={total}
                search={state.search}
                filters={filters}
                values={state.filters}
                columns={columns}
                rows={rows}
              />,
            )}
            total={total}
            pageFull={rows.every(selection.has)}
            onSelectAll={() => selection.setAll(true)}
          />
        ) : null}
        {/* Hidden instead of unmounted while rows are selected, because mounting it again would take too long. */}
        <div style={{ display: barred ? 'none' : 'contents' }}>
          <ListToolbar
            list={call.name}
            state={drawnState}
            onChange={onChange}
            title={options.title}
            hint={options.hint}
            action={options.action}
            filters={filters}
            presets={call.presets}
            searchable={options.searchable ?? call.searches.length > 0}
            searchPlaceholder={options.searchPlaceholder ?? 'list:search'}
            narrow={narrow}
            sorts={call.sorts}
            columns={columns}
            chosen={chosen}
            busy={slow}
            onRefresh={onRefresh}
            onExport={onExport}
            exporting={exporting.busy}
            exportPermission={options.exportPermission}
            rights={rights}
          />
        </div>
        {content()}
        {more && rows.length > 0 ? (
          <Text size="xs" c="dimmed" p={12} role="note">
            {t('list:more')}
          </Text>
        ) : null}
      </div>
    </>
  )
  return (
    <>
      {options.header?.(context)}
      {Side ? (
        <div ref={sidedRef} className={classes['sided']} data-stacked={stacked || undefined}>
          <BesideList
            Side={Side}
            filters={drawnState.filters}
            onChange={onChange}
            narrow={stacked}
            rights={rights}
          />
          <div>{list}</div>
        </div>
      ) : (
        list
      )}
    </>
  )
}
