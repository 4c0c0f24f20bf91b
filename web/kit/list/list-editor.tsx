/** Creating and editing the rows of a list in a drawer: the button, the row action and the form from one value. */

import { IconPencil, IconPlus } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import type { Call, ReplyOf } from '#schema/kit/call'
import type { Fault } from '#schema/kit/fault'
import type { Key } from '#schema/kit/words.gen'
import { ActionButton } from '../action-button.tsx'
import { lazy } from '../chunk.ts'
import type { Field, FormValues } from '../form/form-model.ts'
import { t } from '../i18n.ts'
import { useNewParameter } from '../new-parameter.ts'
import { opener } from '../opener.ts'
import { can, type Needed } from '../session.ts'
import type { AnyList, ListContext, Row, RowAction } from './list-types.ts'

// The form includes its validator, which users who only read the list do not need.
const FormDrawer = lazy(() =>
  import('../form/form-drawer.tsx').then((module) => ({ default: module.FormDrawer })),
)

type Editing<C extends AnyList, N extends Call> = {
  list: C
  /** Of an edited row, or of a new one (null). */
  fields: (row: Row<C> | null) => readonly (Field | string)[]
  /** Absent if rows are not created here. */
  create?: {
    call: N
    title: Key
    permission: Needed
    initial?: FormValues
    /** Values that are sent but not shown: what the new row belongs to. */
    fixed?: FormValues
    /** Shows something that the call returns only once: a token. */
    onDone?: (reply: ReplyOf<N>) => void
  }
  edit?: {
    call: Call
    /** Of this row. */
    title: Key | ((row: Row<C>) => string)
    permission: Needed
    /** The form's values for a row. */
    values: (row: Row<C>) => FormValues
    /** Values that are sent but not shown: the id. */
    fixed: (row: Row<C>) => FormValues
    /** Before it is sent: whether the user still wants it. */
    confirm?: (row: Row<C>, values: FormValues) => Promise<boolean>
  }
  success?: Key
  /** Above the fields. */
  note?: (row: Row<C> | null) => ReactNode
  judge?: (values: FormValues) => Readonly<Record<string, Fault>>
}

/** For editable rows. */
const editionIn = (row: object): string | undefined =>
  'edition' in row && typeof row.edition === 'string' ? row.edition : undefined

/**
 * Pass `Actions` to listPage (it renders the drawers, and opens the form for `?new=1`), `edit(row)` to its row
 * actions, and `CreateButton` to an empty list.
 */
export function listEditor<C extends AnyList, N extends Call = Call>({
  list,
  fields,
  create,
  edit,
  success,
  note,
  judge,
}: Editing<C, N>) {
  // A row, or null for a new one.
  const drawer = opener<Row<C> | null>()
  const { show } = drawer

  function Drawers() {
    const now = drawer.useOpened()
    if (!now) return null
    const { what: row, turn, shown } = now
    const common = {
      opened: shown,
      onClose: drawer.close,
      fields: fields(row),
      refreshes: [list],
      children: note?.(row),
      judge,
      ...(success ? { success: t(success) } : {}),
    }
    if (row && edit)
      return (
        <Suspense key={turn}>
          <FormDrawer
            {...common}
            title={typeof edit.title === 'function' ? edit.title(row) : t(edit.title)}
            verb={t('kit:save')}
            call={edit.call}
            initial={edit.values(row)}
            fixed={edit.fixed(row)}
            edition={editionIn(row)}
            confirm={edit.confirm && ((values) => edit.confirm?.(row, values) ?? Promise.resolve(true))}
            edits
          />
        </Suspense>
      )
    if (row || !create) return null
    return (
      <Suspense key={turn}>
        <FormDrawer
          {...common}
          title={t(create.title)}
          verb={t(create.title)}
          call={create.call}
          {...(create.initial ? { initial: create.initial } : {})}
          {...(create.fixed ? { fixed: create.fixed } : {})}
          {...(create.onDone ? { onDone: (reply) => create.onDone?.(reply as ReplyOf<N>) } : {})}
        />
      </Suspense>
    )
  }

  const CreateButton = () =>
    create ? (
      <ActionButton
        rank="primary"
        icon={IconPlus}
        label={t(create.title)}
        permission={create.permission}
        onPress={() => show(null)}
      />
    ) : null
  return {
    CreateButton,
    Actions: (_context: ListContext) => {
      useNewParameter(() => {
        if (create && can(create.permission)) show(null)
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
      ...(edit ? { permission: edit.permission } : {}),
      run: () => show(row),
    }),
  }
}
