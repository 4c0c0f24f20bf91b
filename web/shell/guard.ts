/** [§4 Route guard] In this order: token, menu id, permission. */

import { generatePath, type LoaderFunctionArgs, redirect } from 'react-router'
import type { Screen } from '#schema/kit/screen'
import { secondFactorScreen } from '#schema/people/account-pages'
import { isCancelled } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import { loadMe } from '../kit/me.ts'
import { loginPath } from '../kit/navigation.ts'
import { holdsScreen, token } from '../kit/session.ts'
import { hasEnded, isSilenced } from '../kit/session-end.ts'
import { toast } from '../kit/toast.tsx'
import { loadPage, screens } from './screens.ts'

/** Whether the current user may open a screen; unknown screens are not checked. */
export function mayOpen(name: string): boolean {
  const screen = screens.find((known) => known.name === name)
  return !screen || holdsScreen(screen)
}

export const guard =
  (screen: Screen) =>
  async ({ request, params }: LoaderFunctionArgs) => {
    const { pathname, search } = new URL(request.url)
    if (!token()) throw redirect(loginPath(hasEnded() ? 'expired' : undefined, pathname + search))
    // Another user has logged in in another tab: the dialog over the page asks which login to use here.
    if (isSilenced()) {
      await loadPage(screen)
      return null
    }
    let enrolFirst = false
    try {
      const [{ user }] = await Promise.all([loadMe(), loadPage(screen, { search, params })])
      enrolFirst = user.totpRequired && !user.totpOn
    } catch (error) {
      // The session ended during the request: api.ts is already redirecting to /login.
      if (!token()) throw redirect(loginPath('expired', pathname + search))
      if (!isCancelled(error)) throw error
    }
    // The customer requires a second factor that this user has not set up; the server enforces it too (decision 024).
    if (enrolFirst && screen.name !== secondFactorScreen.name) throw redirect(secondFactorScreen.path)
    if (!holdsScreen(screen)) {
      const other = screens.find(({ name }) => name === screen.elseAt)
      if (other && holdsScreen(other)) throw redirect(generatePath(other.path, params) + search)
      void toast('warning', t('kit:error.noPermission'))
      throw redirect('/404')
    }
    return null
  }
