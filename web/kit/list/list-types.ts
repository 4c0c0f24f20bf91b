/** What a list is told: columns, filters, actions. `listPage` and `ListView` read these values. */

import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Call } from '#schema/kit/call'
import type { ListCall, Listed } from '#schema/kit/list'
import type { Permission } from '#schema/kit/permission'
import type { Screen } from '#schema/kit/screen'
import type { Key } from '#schema/kit/words.gen'

/** A declared list call with its row type. */
export type AnyList<R extends z.ZodType = z.ZodType> = ListCall & Call<z.ZodType, Listed<R>>
export type Row<C extends AnyList> = z.output<C['reply']>['list'][number]

export type Column<R> = {
  /** A field of the row, or a name of its own when `render` draws it. Sortable when the call sorts by it. */
  key: (keyof R & string) | (string & Record<never, never>)
  title: Key
  render?: (row: R) => ReactNode
  /** What CSV says; default: the field. */
  text?: (row: R) => string | number | null
  /** The name of the call's sort, when it is not `key`. */
  sort?: string
  width?: number
  /** Right-aligned; put the unit into the title. */
  numeric?: boolean
  pinned?: 'left' | 'right'
  /** Not shown until chosen. */
  extra?: boolean
  /** false: drawn only, nothing that CSV could say. */
  csv?: false
  /** On narrow windows: the card's heading, beside the heading, or not at all. Default: a line of the card. */
  card?: 'title' | 'beside' | 'none'
}

export type Option = { value: string; label: string }
export type Filter = {
  /** The name in the call's body and in the address. */
  key: string
  label: Key
  /** A hook: may read calls. */
  useOptions: () => readonly Option[]
  width?: number
  /** Offered only to whom this holds: platform users choose customers. */
  when?: () => boolean
}

/** `all`: everything that matches `filter`, also on other pages (then `rows` are only those seen). */
export type Selection<R> = {
  rows: readonly R[]
  all: boolean
  count: number
  filter: Readonly<Record<string, unknown>>
  /** Of `all`, else null: how many, by which filter and which for example. Belongs into the question before `run` acts. */
  preview: ReactNode
  clear: () => void
}

export type BulkAction<R> = {
  key: string
  /** The verb, e.g. "Reboot". */
  label: Key
  icon: Icon
  permission?: Permission
  /** Destroys something. */
  danger?: boolean
  /** Why this row is left out; null: it takes part. */
  excluded?: (row: R) => Key | null
  /** May it be run on "all matching"? Otherwise only on rows that were chosen. */
  onAll?: boolean
  /** `eligible` are the rows that are not excluded. */
  run: (eligible: readonly R[], selection: Selection<R>) => void | Promise<void>
}

export type RowAction = {
  key: string
  label: string
  icon: Icon
  permission?: Permission
  reason?: string | null
  danger?: boolean
  run: () => void
}

export type ListContext = {
  filter: Readonly<Record<string, unknown>>
  total: number | undefined
  reload: () => void
}

/** What stands beside a list knows its filters and sets them: they are declared with `when: () => false`. */
export type SideProps = {
  filters: Readonly<Record<string, string>>
  /** Back to page 1 of the list with these filters; the others stay. */
  choose: (filters: Record<string, string>) => void
  narrow: boolean
}

export type ListOptions<C extends AnyList> = {
  call: C
  /** A field, or for rows without one what makes each unique. */
  rowKey: (keyof Row<C> & string) | ((row: Row<C>) => string)
  columns: readonly Column<Row<C>>[]
  filters?: readonly Filter[]
  /** The rest of the body, the same for all pages (a device's id). */
  body?: Readonly<Record<string, unknown>>
  /** Heading in the toolbar, for a list that is a part of a page. */
  title?: string
  /** Beside that heading: a sentence; and at the right, what makes a new row. Pages have their header for this. */
  hint?: string
  action?: ReactNode
  /** Default: whether the call searches at all. */
  searchable?: boolean
  searchPlaceholder?: Key
  bulk?: readonly BulkAction<Row<C>>[]
  rowActions?: (row: Row<C>) => readonly RowAction[]
  /** CSV made by the server from the same filters; `columns` names the visible ones. Absent: made here. */
  exportCall?: Call
  /** What the server has no words for, in the reader's language. May not use hooks. */
  exportWords?: () => Readonly<Record<string, unknown>>
  exportPermission?: Permission
  exportName?: string
  /** Seconds between refreshes until the user chooses: 0, 5, 10, 20 or 60. Default 0. */
  refreshS?: number
  /** Several lists in one page keep apart in the address by a prefix. */
  prefix?: string
  rowLink?: (row: Row<C>) => string
  /** Beside the list, a tree for instance; above it on narrow windows. May use hooks. */
  Side?: (side: SideProps) => ReactNode
  /** Above the list, knowing it. */
  header?: (context: ListContext) => ReactNode
  /** Shown when nothing exists at all: a sentence and a button that teach. */
  empty?: (context: ListContext) => ReactNode
}

export type ListPageOptions<C extends AnyList> = ListOptions<C> & {
  screen: Screen
  /** Beside the title, right: one primary button, one default, a menu. May use hooks. */
  Actions?: (context: ListContext) => ReactNode
}
