/** Routes before the login; those of the shell are loaded on demand. */
import type { ComponentType } from 'react'
import { createBrowserRouter, Outlet, type RouteObject, redirect } from 'react-router'
import { CONFIRM_EMAIL_PATH, CONFIRM_RECIPIENT_PATH, INVITATION_PATH } from '#schema/people/before-login'
import { watchBack } from './kit/back.ts'
import { inTime } from './kit/chunk.ts'
import { loadMe } from './kit/me.ts'
import { KIOSK_PATH, leavePage, setNavigator, setWanted } from './kit/navigation.ts'
import { clearSession, token } from './kit/session.ts'
import { Page as LoginPage } from './pages/login.tsx'
import { Crash } from './shell/crash.tsx'
import { Loading } from './shell/loading.tsx'

const loadShell = () => inTime(() => import('./shell/routes.tsx'))

const page = async (load: () => Promise<{ Page: ComponentType }>) => ({
  Component: (await inTime(load)).Page,
})

const entryRoutes: RouteObject[] = [
  { path: '/', loader: () => redirect('/login') },
  {
    path: '/login',
    loader: () => {
      clearSession()
      return null
    },
    // A change of the URL (a language, a reason) must not end the login in progress.
    shouldRevalidate: () => false,
    element: <LoginPage loadNext={loadShell} />,
  },
  {
    path: CONFIRM_EMAIL_PATH,
    lazy: () => page(() => import('./pages/confirm-email.tsx')),
  },
  {
    path: CONFIRM_RECIPIENT_PATH,
    lazy: () => page(() => import('./pages/confirm-recipient.tsx')),
  },
  {
    path: INVITATION_PATH,
    lazy: () => page(() => import('./pages/invitation.tsx')),
  },
  {
    path: KIOSK_PATH,
    lazy: () => page(() => import('./pages/kiosk.tsx')),
  },
  {
    path: '/404',
    lazy: () => page(() => import('./pages/not-found.tsx')),
  },
]

export function createRouter() {
  let patched = false
  const followRouter = watchBack()
  const router = createBrowserRouter(
    [
      {
        id: 'root',
        element: <Outlet />,
        errorElement: <Crash />,
        HydrateFallback: Loading,
        children: entryRoutes,
      },
    ],
    {
      patchRoutesOnNavigation: async ({ patch }) => {
        if (patched) return
        // While the shell is loaded and evaluated; the screen's guard waits for the same reply and handles its failure.
        if (token()) loadMe().catch(() => undefined)
        const { shellRoutes } = await loadShell()
        if (patched) return
        patched = true
        patch('root', [...shellRoutes(), { path: '*', loader: () => redirect('/404') }])
      },
    },
  )
  setNavigator((path) => void router.navigate(path))
  let pathname = router.state.location.pathname
  router.subscribe(({ navigation, location }) => {
    followRouter()
    const to = navigation.location
    setWanted(to ? to.pathname + to.search : null)
    const next = navigation.location?.pathname ?? location.pathname
    if (next === pathname) return
    pathname = next
    leavePage()
  })
  return router
}
