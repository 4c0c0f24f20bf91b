/** Undo instead of a question, where an action can be taken back. */

import type { Call } from '#schema/kit/call'
import { t } from './i18n.ts'
import { queryClient, reportError } from './query.ts'
import { openToaster, toast } from './toast.tsx'

export const UNDO_MS = 8_000

type Undoable<T> = {
  /** What was done, in the past: "View “Offline in Hamburg” deleted". Said once `run` has succeeded. */
  text: string
  /** Does it, at once and on the server. */
  run: () => Promise<T>
  /** Takes it back; gets what `run` answered. */
  undo: (done: T) => Promise<unknown>
  /** Lists and details that are out of date afterwards, both times. */
  refreshes?: readonly Call[]
}

/** Undo toasts in the corner; they are the user's, and leave with him. */
const open = new Set<string>()
let made = 0

const renew = (calls: readonly Call[] = []) => {
  for (const call of calls) void queryClient.invalidateQueries({ queryKey: [call.name] })
}

/**
 * Does something reversible without asking first, then offers for 8 s to undo it:
 *
 *   await withUndo({
 *     text: t(wordOfTheDeed, { name }),
 *     run: () => request(deleteDevice, { deviceId }),
 *     undo: () => request(restoreDevice, { deviceId }),
 *     refreshes: [getDeviceList],
 *   })
 *
 * It is done when the promise resolves, not when the 8 s are over: a tab closed meanwhile changes nothing. So it fits
 * only what the server can truly take back (an abnormal list, a copy of all fields); ask() is for the rest. Hovering or
 * focusing the toast stops its clock. The toast outlives the page, not the login.
 * @returns what `run` answered; undefined when it failed (the error was said)
 */
export async function withUndo<T>({ text, run, undo, refreshes }: Undoable<T>): Promise<T | undefined> {
  let done: T
  try {
    done = await run()
  } catch (error) {
    reportError(error)
    return undefined
  }
  renew(refreshes)
  const { notifications, UndoMessage } = await openToaster()
  made += 1
  const id = `undo:${made}`
  const takeBack = async () => {
    notifications.hide(id)
    try {
      await undo(done)
      void toast('success', t('kit:undo.undone'))
    } catch (error) {
      reportError(error)
    }
    renew(refreshes)
  }
  open.add(id)
  notifications.show({
    id,
    message: <UndoMessage text={text} onUndo={() => void takeBack()} />,
    // Not over the head of a drawer, where it was pressed.
    position: 'bottom-center',
    autoClose: UNDO_MS,
    withAutoCloseProgress: true,
    onClose: () => open.delete(id),
  })
  return done
}

/** At the end of a login. */
export async function forgetUndo() {
  if (open.size === 0) return
  const { notifications } = await openToaster()
  for (const id of open) notifications.hide(id)
}
