/** The routes known before anybody logged in; those of the shell are fetched when one of them is asked for. */
import { createBrowserRouter, Outlet, type RouteObject, redirect } from 'react-router'
import { CONFIRM_EMAIL_PATH } from '#schema/people/profile'
import { CONFIRM_RECIPIENT_PATH } from '#schema/report/recipient'
import { leavePage, setNavigator } from './kit/navigation.ts'
import { clearSession } from './kit/session.ts'
import { Page as LoginPage } from './pages/login.tsx'
import { Crash } from './shell/crash.tsx'
import { Loading } from './shell/loading.tsx'

const loadShell = () => import('./shell/routes.tsx')

const entryRoutes: RouteObject[] = [
  { path: '/', loader: () => redirect('/login') },
  {
    path: '/login',
    loader: () => {
      clearSession()
      return null
    },
    // Reading the address again (a language, a reason) must not end the login that is just happening.
    shouldRevalidate: () => false,
    element: <LoginPage loadNext={loadShell} />,
  },
  {
    path: CONFIRM_EMAIL_PATH,
    lazy: () => import('./pages/confirm-email.tsx').then(({ Page }) => ({ Component: Page })),
  },
  {
    path: CONFIRM_RECIPIENT_PATH,
    lazy: () => import('./pages/confirm-recipient.tsx').then(({ Page }) => ({ Component: Page })),
  },
  {
    path: '/404',
    lazy: () => import('./pages/not-found.tsx').then(({ Page }) => ({ Component: Page })),
  },
]

export function createRouter() {
  let patched = false
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
    const next = navigation.location?.pathname ?? location.pathname
    if (next === pathname) return
    pathname = next
    leavePage()
  })
  return router
}
