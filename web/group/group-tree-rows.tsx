import { Skeleton, Text } from '@mantine/core'
import { IconBuilding, IconChevronRight, IconFolder, IconFolders } from '@tabler/icons-react'
import { useCallback, useId, useRef, useState } from 'react'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './group-tree.module.css'
import type { GroupNode, TreeRow } from './group-tree-model.ts'

const ROW_PX = 32
const PADDING_PX = 4
/** Rows rendered above and below the visible ones. */
const MORE = 6

type Props = {
  rows: readonly TreeRow[]
  chosen: string
  total: number
  online: number
  loading: boolean
  canPick: (node: GroupNode) => boolean
  onPick: (node: GroupNode | null) => void
  onToggle: (node: GroupNode) => void
}

/** online/total, as numbers for the eye and as words for screen readers. */
function Counts({ online, total }: { online: number; total: number }) {
  return (
    <span
      className={classes['counts']}
      aria-label={t('group:tree.counts', { online: number(online), total: number(total) })}
      role="img"
    >
      <b data-some={online > 0 || undefined}>{number(online)}</b>/{number(total)}
    </span>
  )
}

/** Row 0 is "all groups"; arrows, Home and End move, Enter selects, right and left expand and collapse. */
export function GroupTreeRows({ rows, chosen, total, online, loading, canPick, onPick, onToggle }: Props) {
  const id = useId()
  const pane = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(640)
  const [focused, setFocused] = useState(0)
  /** By a ResizeObserver: reading the size at each rendering would force a layout of the whole page. */
  const watchPane = useCallback((box: HTMLDivElement | null) => {
    pane.current = box
    if (!box) return
    const watching = new ResizeObserver(() => {
      if (box.clientHeight > 0) setHeight(box.clientHeight)
    })
    watching.observe(box)
    return () => watching.disconnect()
  }, [])
  const count = rows.length + 1
  const at = Math.min(focused, count - 1)
  const first = Math.max(0, Math.floor(top / ROW_PX) - MORE)
  const last = Math.min(count, Math.ceil((top + height) / ROW_PX) + MORE)

  const go = (next: number) => {
    const place = Math.max(0, Math.min(count - 1, next))
    setFocused(place)
    const box = pane.current
    if (!box) return
    const bottom = (place + 1) * ROW_PX + 2 * PADDING_PX
    if (place * ROW_PX < box.scrollTop) box.scrollTop = place * ROW_PX
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight
  }
  const press = (row: TreeRow | undefined) => {
    if (!row) return onPick(null)
    if (canPick(row.node)) onPick(row.node)
    else onToggle(row.node)
  }
  const parentOf = (place: number) => {
    const depth = rows[place - 1]?.depth ?? 0
    for (let i = place - 1; i > 0; i--) if ((rows[i - 1]?.depth ?? 0) < depth) return i
    return 0
  }
  const onKey = (event: React.KeyboardEvent) => {
    const row = rows[at - 1]
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(count - 1),
      Enter: () => press(row),
      ' ': () => press(row),
      ArrowRight: () => (row && row.node.children.length > 0 && !row.open ? onToggle(row.node) : go(at + 1)),
      ArrowLeft: () => (row?.open ? onToggle(row.node) : go(parentOf(at))),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  if (loading) return <Skeleton h={180} m={8} w="auto" />
  return (
    <div
      ref={watchPane}
      className={classes['rows']}
      role="tree"
      aria-label={t('group:tree.title')}
      tabIndex={0}
      aria-activedescendant={`${id}-${Math.min(Math.max(at, first), last - 1)}`}
      onKeyDown={onKey}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div role="presentation" style={{ height: count * ROW_PX, position: 'relative' }}>
        {Array.from({ length: last - first }, (_, i) => {
          const place = first + i
          const row = rows[place - 1]
          const key = row?.node.key ?? ''
          const Shape = !row ? IconFolders : row.node.gid === null ? IconBuilding : IconFolder
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and names the active row
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
            <div
              key={key || 'all'}
              id={`${id}-${place}`}
              role="treeitem"
              aria-level={(row?.depth ?? 0) + 1}
              aria-setsize={row?.of ?? 1}
              aria-posinset={row?.place ?? 1}
              aria-selected={key === chosen}
              {...(row && row.node.children.length > 0 ? { 'aria-expanded': row.open } : {})}
              className={classes['row']}
              data-active={place === at || undefined}
              style={{ top: place * ROW_PX, paddingLeft: 4 + (row?.depth ?? 0) * 16 }}
              onClick={() => {
                setFocused(place)
                press(row)
              }}
            >
              <button
                type="button"
                tabIndex={-1}
                aria-hidden
                className={classes['fold']}
                data-none={!row || row.node.children.length === 0 || undefined}
                data-open={row?.open || undefined}
                onClick={(event) => {
                  event.stopPropagation()
                  if (row) onToggle(row.node)
                }}
              >
                <IconChevronRight size={14} stroke={2} />
              </button>
              <Shape size={16} stroke={1.5} className={classes['shape']} aria-hidden />
              <span className={classes['name']} title={row?.node.name}>
                {row?.node.name ?? t('group:tree.all')}
              </span>
              <Counts online={row?.node.online ?? online} total={row?.node.total ?? total} />
            </div>
          )
        })}
      </div>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed" p={8}>
          {t('list:noMatch')}
        </Text>
      ) : null}
    </div>
  )
}
