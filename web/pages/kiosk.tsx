/** A big screen on a wall: opened by a link, without a login, and for nothing else. */
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { loadWords, t } from '../kit/i18n.ts'
import { queryClient } from '../kit/query.ts'
import { enterKiosk } from '../kit/session.ts'
import { BigScreen } from '../monitor/big-screen.tsx'

export function Page() {
  const [ready, setReady] = useState(false)
  useEffect(() => {
    enterKiosk(location.hash.slice(1))
    void loadWords(['big-screen', 'variable', 'alarm', 'severity', 'printer']).then(() => {
      document.title = t('big-screen:title')
      setReady(true)
    })
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <main style={{ height: '100dvh' }}>{ready ? <BigScreen /> : null}</main>
    </QueryClientProvider>
  )
}
