/** A big screen on a wall display: opened by a link, without a login. */
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { lazy } from '../kit/chunk.ts'
import { loadWords, t } from '../kit/i18n.ts'
import { queryClient } from '../kit/query.ts'
import { enterKiosk } from '../kit/session.ts'
import { BigScreen } from '../monitor/big-screen.tsx'
import { useLinkLanguage } from '../people/link-language.ts'

// Most links show the big screen.
const PanelWall = lazy(() =>
  import('../panel/panel-wall.tsx').then((module) => ({ default: module.PanelWall })),
)

export function Page() {
  const [ready, setReady] = useState(false)
  useLinkLanguage()
  const panelId = Number(new URLSearchParams(location.search).get('panel'))
  useEffect(() => {
    enterKiosk(location.hash.slice(1))
    void loadWords([
      'big-screen',
      'list',
      'variable',
      'alarm',
      'severity',
      'printer',
      'panel',
      'variable-write',
    ]).then(() => {
      document.title = t('big-screen:title')
      setReady(true)
    })
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <main style={{ height: '100dvh' }}>
        {ready ? (
          panelId > 0 ? (
            <Suspense fallback={null}>
              <PanelWall panelId={panelId} />
            </Suspense>
          ) : (
            <BigScreen />
          )
        ) : null}
      </main>
    </QueryClientProvider>
  )
}
