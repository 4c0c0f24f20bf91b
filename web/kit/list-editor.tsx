/** Creating and editing the rows of a list in a drawer: the button, the row action and the form from one value. */
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import type { Call } from '#schema/kit/call'
import { ActionButton } from './action-button.tsx'
import { useAskedNew } from './asked-new.ts'
import type { Field, FormValues } from './form-fields.tsx'
import { t } from './i18n.ts'
import type { AnyList, ListContext, Row, RowAction } from './list-types.ts'
import { can } from './session.ts'
import type { Key } from './words.ts'

// The form brings its validator along; nobody needs it who only reads the list.
const FormDrawer = lazy(() => import('./form-drawer.tsx').then((module) => ({ default: module.FormDrawer })))

type Editing<C extends AnyList> = {
  list: C
  /** Of an edited row, or of a new one (null). */
  fields: (row: Row<C> | null) => readonly Field[]
  /** Absent: rows come from elsewhere. */
  create?: { call: Call; title: Key; functionId: number; initial?: FormValues }
  edit?: {
    call: Call
    title: Key
    functionId: number
    /** What the form shows of a row. */
    values: (row: Row<C>) => FormValues
    /** What it sends along: the id. */
    fixed: (row: Row<C>) => FormValues
  }
  success?: Key
}

/**
 * `Actions` goes to listPage (it holds the drawers, and opens the form when the address says `?new=1`), `edit(row)` among its row actions, `CreateButton` to
 * an empty list.
 */
export function listEditor<C extends AnyList>({ list, fields, create, edit, success }: Editing<C>) {
  type Open = { row: Row<C> | null; shown: boolean; turn: number }
  let open: Open | null = null
  const watchers = new Set<() => void>()
  const put = (next: Open | null) => {
    open = next
    for (const watcher of watchers) watcher()
  }
  const show = (row: Row<C> | null) => put({ row, shown: true, turn: (open?.turn ?? 0) + 1 })
  const watch = (watcher: () => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }

  function Drawers() {
    const now = useSyncExternalStore(watch, () => open)
    if (!now) return null
    const way = now.row ? edit : create
    if (!way) return null
    const initial = now.row ? edit?.values(now.row) : create?.initial
    return (
      <Suspense>
        <FormDrawer
          key={now.turn}
          opened={now.shown}
          // Closing is animated: the drawer leaves before its form does.
          onClose={() => put({ ...now, shown: false })}
          title={t(way.title)}
          verb={t(now.row ? 'kit:save' : way.title)}
          call={way.call}
          fields={fields(now.row)}
          refreshes={[list]}
          {...(initial ? { initial } : {})}
          edits={now.row !== null}
          {...(now.row && edit ? { fixed: edit.fixed(now.row) } : {})}
          {...(success ? { success: t(success) } : {})}
        />
      </Suspense>
    )
  }

  const CreateButton = () =>
    create ? (
      <ActionButton
        icon={IconPlus}
        label={t(create.title)}
        functionId={create.functionId}
        onPress={() => show(null)}
      />
    ) : null
  return {
    CreateButton,
    Actions: (_context: ListContext) => {
      // Of two pages alive at once only the one that was left closes: its rows are no longer in view.
      useState(() => put(null))
      useAskedNew(() => {
        if (create && can(create.functionId)) show(null)
      })
      return (
        <>
          <CreateButton />
          <Drawers />
        </>
      )
    },
    edit: (row: Row<C>): RowAction => ({
      key: 'edit',
      label: t('kit:edit'),
      icon: IconPencil,
      ...(edit ? { functionId: edit.functionId } : {}),
      run: () => show(row),
    }),
  }
}
