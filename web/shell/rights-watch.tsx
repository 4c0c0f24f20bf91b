/**
 * Permissions may change while a console is open: within seconds menus, buttons and pages follow, without a new
 * login.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { getRights } from '#schema/people/get-rights'
import { isSessionEnd, onDenied } from '../kit/api.ts'
import { forgetUnsaved } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import { renewMe } from '../kit/me.ts'
import { goTo } from '../kit/navigation.ts'
import { readRefused, useCall } from '../kit/query.ts'
import { token } from '../kit/session.ts'
import { toast } from '../kit/toast.tsx'
import { mayOpen } from './guard.ts'
import { changeTabs, openTabs } from './tab-store.ts'

const ASK_S = 10

/** Retries until the server responds; false: the session has ended. */
async function renewed(): Promise<boolean> {
  for (;;) {
    try {
      await renewMe()
      return true
    } catch (error) {
      if (isSessionEnd(error) || token() === null) return false
      await new Promise((done) => setTimeout(done, ASK_S * 1000))
    }
  }
}

/** Polls a short fingerprint, and fetches the rest only when it has changed. */
export function RightsWatch({ visited }: { visited: string | undefined }) {
  const rights = useCall(getRights, {}, { refreshS: ASK_S, staleMs: 0 })
  const client = useQueryClient()
  const version = rights.data?.version
  const known = useRef<string | undefined>(undefined)
  const seen = useRef(visited)
  seen.current = visited

  useEffect(() => onDenied(() => void client.invalidateQueries({ queryKey: [getRights.name] })), [client])
  const renew = useEffectEvent(async () => {
    if (!(await renewed())) return
    void readRefused()
    // The page of now: while the server was away the user may have gone on.
    if (seen.current !== undefined && !mayOpen(seen.current)) {
      void toast('warning', t('kit:error.noPermission'))
      goTo('/404')
    }
    const lost = openTabs().filter(({ screen }) => !mayOpen(screen))
    if (lost.length === 0) return
    changeTabs((tabs) => tabs.filter((tab) => !lost.includes(tab)))
    // Otherwise closing the window would ask about a page that is gone. Drafts of forms stay.
    forgetUnsaved(lost.map(({ key }) => key))
  })
  useEffect(() => {
    if (version === undefined) return
    const before = known.current
    known.current = version
    if (before !== undefined && before !== version) void renew()
  }, [version])
  return null
}
