/** Messages about requests that wait for the user's decision, each once, with a way to it. */
import { Anchor } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { goTo } from './navigation.ts'
import { openToaster } from './toast.tsx'

const SHOWN_MS = 30_000

export type RequestNotice = {
  /** Unique among all kinds of requests. */
  id: string
  title: string
  /** The text of its button. */
  look: string
  /** The page on which it is decided; nothing is shown while it is open. */
  path: string
}

export function useRequestNotices(requests: readonly RequestNotice[] | undefined): void {
  const notified = useRef(new Set<string>())
  const shell = useRef<AbortController>(null)
  // At logout: whoever uses the browser next must not read them.
  useEffect(() => {
    const shown = notified.current
    const mounted = new AbortController()
    shell.current = mounted
    return () => {
      mounted.abort()
      if (shown.size > 0)
        void openToaster().then(({ notifications }) => {
          for (const id of shown) notifications.hide(id)
        })
    }
  }, [])
  useEffect(() => {
    const gone = shell.current?.signal
    for (const { id, title, look, path } of requests ?? []) {
      if (notified.current.has(id)) continue
      notified.current.add(id)
      if (location.pathname === path) continue
      void openToaster().then(({ notifications }) => {
        if (gone?.aborted) return
        notifications.show({
          id,
          color: 'yellow',
          autoClose: SHOWN_MS,
          title,
          // A button for the keyboard; its click is also the notice's.
          message: (
            <Anchor component="button" type="button" size="sm" fw={600}>
              {look}
            </Anchor>
          ),
          style: { cursor: 'pointer' },
          onClick: () => {
            notifications.hide(id)
            goTo(path)
          },
        })
      })
    }
  }, [requests])
}
