/** The form of an object that is read when it opens. */
import { useEffect } from 'react'
import { type ApiError, isSessionEnd } from '../api.ts'
import { reportError } from '../query.ts'

type Read = { readonly data: unknown; readonly error: ApiError | null }

/**
 * Whether an open form cannot go on: there is nothing to show, or the object is gone. It is read again whenever its window is looked at, and
 * a lost connection or an ended login then must not take away a form that is being filled in.
 */
export const mustClose = ({ data, error }: Read): boolean =>
  error !== null && (data === undefined || !(error.code < 0 || isSessionEnd(error)))

/** [§8] If the object cannot be read, an error is shown and nothing is opened. */
export function useReadOrClose({ data, error }: Read, opened: boolean, onClose: () => void): void {
  const closes = opened && mustClose({ data, error })
  useEffect(() => {
    if (!closes) return
    reportError(error)
    onClose()
  }, [closes, error, onClose])
}
