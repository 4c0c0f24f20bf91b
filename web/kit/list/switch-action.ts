/** Enables or disables the object of a row, with undo: a rule, an account, a target, an advertisement. */
import { type Icon, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { Call } from '#schema/kit/call'
import type { Key } from '#schema/kit/words.gen'
import { t } from '../i18n.ts'
import type { Needed } from '../session.ts'
import { withUndo } from '../undo.tsx'
import type { RowAction } from './list-types.ts'

type Switch = {
  row: { name: string; enabled: boolean }
  list: Call
  permission: Needed
  /** Why this user may not; null: they may. */
  reason?: string | null
  put: (enabled: boolean) => Promise<unknown>
  /** `verb` names the action, `done` what it has done to `{name}`. */
  on: { verb: Key; done: Key; icon?: Icon }
  off: { verb: Key; done: Key; icon?: Icon }
}

export function switchAction({ row: { name, enabled }, list, put, on, off, ...rest }: Switch): RowAction {
  const { verb, done, icon } = enabled ? off : on
  return {
    key: 'switch',
    label: t(verb),
    icon: icon ?? (enabled ? IconPlayerPause : IconPlayerPlay),
    ...rest,
    run: () =>
      void withUndo({
        text: t(done, { name }),
        run: () => put(!enabled),
        undo: () => put(enabled),
        refreshes: [list],
      }),
  }
}
