import { Button, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { t } from '../i18n.ts'
import type { ListChange, ListState } from './list-state.ts'
import type { Column } from './list-types.ts'

type Props<R> = {
  columns: readonly Column<R>[]
  sorts: readonly string[]
  state: ListState
  onChange: (change: ListChange) => void
}

/** Cards have no headings to click. Choosing the same column again reverses the order. */
export function CardSort<R>({ columns, sorts, state, onChange }: Props<R>) {
  const sortOf = (column: Column<R>) => column.sort ?? column.key
  const sortable = columns.filter((column) => sorts.includes(sortOf(column)))
  if (sortable.length === 0) return null
  const now = sortable.find((column) => sortOf(column) === state.sort)
  const descending = state.order === 'desc'
  const Direction = descending ? IconArrowDown : IconArrowUp
  const order = t(descending ? 'list:descending' : 'list:ascending')
  const label = now ? t('list:sortedBy', { column: t(now.title), order }) : t('list:sort')
  return (
    <Menu>
      <Menu.Target>
        <Button variant={now ? 'light' : 'default'} px={8} aria-label={label}>
          {now ? <Direction size={16} stroke={1.5} /> : <IconArrowsSort size={16} stroke={1.5} />}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('list:sort')}</Menu.Label>
        {sortable.map((column) => (
          <Menu.Item
            key={column.key}
            fw={column === now ? 600 : 400}
            aria-current={column === now || undefined}
            rightSection={column === now ? <Direction size={16} stroke={1.5} /> : null}
            onClick={() =>
              onChange({ sort: sortOf(column), order: column === now && !descending ? 'desc' : 'asc' })
            }
          >
            {t(column.title)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
