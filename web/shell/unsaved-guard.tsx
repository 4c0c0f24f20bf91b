import { useEffect } from 'react'
import { matchPath, useBlocker } from 'react-router'
import { ask } from '../kit/confirm.tsx'
import { forgetUnsaved, hasUnsaved } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import { hasEnded } from '../kit/session-end.ts'
import { screens } from './screens.ts'
import { SINGLE } from './tabs.ts'

const singleAt = (path: string) =>
  screens.find((screen) => SINGLE.includes(screen.name) && matchPath(screen.path, path))

/** Whether the page is unmounted when the next one is opened. Most are only hidden behind the visited tabs. */
const ends = (page: string, next: string) => {
  if (next === '/login') return true
  const single = singleAt(page)
  return single !== undefined && page !== next && singleAt(next) === single
}

/** The question before a page with unsaved changes is closed. */
export const askToLeave = () =>
  ask({
    title: t('shell:unsaved.title'),
    text: t('shell:unsaved.text'),
    verb: t('shell:unsaved.leave'),
    danger: true,
  })

/** Asks before a page with unsaved changes is replaced, or the window closed. Rendered once in the shell. */
export function UnsavedGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      !hasEnded() &&
      hasUnsaved(currentLocation.pathname) &&
      ends(currentLocation.pathname, nextLocation.pathname),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const left = blocker.location.pathname
    void askToLeave().then((sure) => {
      if (!sure) return blocker.reset()
      forgetUnsaved(left === '/login' ? undefined : [location.pathname])
      blocker.proceed()
    })
  }, [blocker])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])
  return null
}
