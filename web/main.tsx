// First of all: the texts load while the rest is evaluated.
import './first-texts.ts'
import '@mantine/core/styles.css'
import './shell/tokens.css'
import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { startI18n } from './kit/i18n.ts'
import { isReachable } from './kit/server/connection.ts'
import { ToastHost } from './kit/toast.tsx'
import { createRouter } from './router.tsx'
import { LateChunk } from './shell/late-chunk.tsx'
import { cssVariables, schemeInCookie, theme } from './shell/theme.ts'

/**
 * A page that was open during an upgrade of the platform requests files that no longer exist: reload once. Not while
 * the server cannot be reached: the browser's own error page would replace the console, with whatever was typed.
 */
const RELOAD_PAUSE_MS = 60_000
addEventListener('vite:preloadError', async () => {
  const last = Number(sessionStorage.getItem('reloadedAt') ?? 0)
  if (Date.now() - last < RELOAD_PAUSE_MS || !(await isReachable())) return
  sessionStorage.setItem('reloadedAt', String(Date.now()))
  location.reload()
})

await startI18n()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    colorSchemeManager={schemeInCookie}
    defaultColorScheme="auto"
  >
    <ToastHost />
    <LateChunk />
    <RouterProvider router={createRouter()} />
  </MantineProvider>,
)
