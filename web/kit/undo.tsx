/** Undo instead of a confirmation, for reversible actions. */

import type { Call } from '#schema/kit/call'
import { t } from './i18n.ts'
import { queryClient, reportError } from './query.ts'
import { offers, openToaster, toast } from './toast.tsx'

export const UNDO_MS = 8_000

type Undoable<T> = {
  /** What was done, in the past tense: "View “Offline in Hamburg” deleted". Shown once `run` has succeeded. */
  text: string | ((done: T) => string)
  /** Performs the action immediately on the server. */
  run: () => Promise<T>
  /** Reverses it; gets the result of `run`. */
  undo: (done: T) => Promise<unknown>
  /** Lists and details to refresh after both. */
  refreshes?: readonly Call[]
}

let made = 0

const renew = (calls: readonly Call[] = []) => {
  for (const call of calls) void queryClient.invalidateQueries({ queryKey: [call.name] })
}

/**
 * Performs a reversible action without asking first, then offers to undo it for 8 s:
 *
 *   await withUndo({
 *     text: t(wordOfTheDeed, { name }),
 *     run: () => request(deleteDevice, { deviceId }),
 *     undo: () => request(restoreDevice, { deviceId }),
 *     refreshes: [getDeviceList],
 *   })
 *
 * The action is done when the promise resolves, not when the 8 s are over: closing the tab meanwhile changes nothing.
 * So use it only for what the server can really reverse (an abnormal list, a copy of all fields); ask() is for the
 * rest. Hovering or focusing the toast pauses its timer. The toast survives navigation, but not a logout. @returns
 * the result of `run`; undefined when it failed (the error was shown)
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
  let isTaken = false
  const takeBack = async () => {
    // While the message fades out, its button can still be pressed.
    if (isTaken) return
    isTaken = true
    notifications.hide(id)
    try {
      await undo(done)
      void toast('success', t('kit:undo.undone'))
    } catch (error) {
      reportError(error)
    }
    renew(refreshes)
  }
  offers.add(id)
  notifications.show({
    id,
    message: (
      <UndoMessage text={typeof text === 'function' ? text(done) : text} onUndo={() => void takeBack()} />
    ),
    autoClose: UNDO_MS,
    withAutoCloseProgress: true,
    onClose: () => offers.delete(id),
  })
  return done
}
