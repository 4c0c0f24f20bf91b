import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { type Area, areas } from '#schema/kit/screen'
import { lazy } from '../kit/chunk.ts'
import { ConfirmHost } from '../kit/confirm.tsx'
import { sweepDrafts } from '../kit/form/drafts.ts'
import { forgetUnsaved } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import { topLane } from '../kit/lane.ts'
import { forgetMe, me, useMe } from '../kit/me.ts'
import { useNarrow } from '../kit/narrow.ts'
import { focusContent } from '../kit/page/focus-content.ts'
import { startPrinting } from '../kit/page/printing.ts'
import { queryClient } from '../kit/query.ts'
import { clearResponseCache } from '../kit/response-cache.ts'
import { noticeOtherTab, useSessionEnd } from '../kit/session-end.ts'
import { forgetOffers, openToaster } from '../kit/toast.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { useFocusKeeper } from './focus-keeper.ts'
import { Footer } from './footer.tsx'
import { PageHost, tabTitle, useVisit } from './page-host.tsx'
import { PaletteHost } from './palette-host.tsx'
import { PrintHead } from './print-head.tsx'
import { RightsWatch } from './rights-watch.tsx'
import { screens } from './screens.ts'
import classes from './shell.module.css'
import './print.css'
import { ShortcutsHost } from './shortcuts-host.tsx'
import { SideMenu } from './side-menu.tsx'
import { forgetTabs, useTabs } from './tab-store.ts'
import { TabStrip } from './tab-strip.tsx'
import { TopBar } from './top-bar.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { WorkBar } from './work-bar.tsx'

const MenuDrawer = lazy(() => import('./menu-drawer.tsx').then((module) => ({ default: module.MenuDrawer })))
const ReloginDialog = lazy(() =>
  import('./relogin-dialog.tsx').then((module) => ({ default: module.ReloginDialog })),
)

const Notices = lazy(() => import('./notices.tsx').then(({ load }) => load()))

const COLLAPSED = 'sideMenuCollapsed'

startPrinting()

/** [§2 Layout] The frame around every page after the login. */
export function Shell() {
  const visited = useVisit()
  // Re-rendered when permissions, menus or the customer's look change.
  useMe()
  const tabs = useTabs()
  const narrow = useNarrow()
  const [drawer, { toggle: toggleDrawer, close: closeDrawer }] = useDisclosure(false)
  // In narrow windows the menu is initially collapsed to icons.
  const cramped = useMediaQuery('(max-width: 1299px)', false, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState(() => localStorage.getItem(COLLAPSED))
  const collapsed = chosen === null ? cramped : chosen === '1'

  const tab = tabs.find(({ key }) => key === visited?.key)
  const title = visited ? tabTitle(tab ?? { screen: visited.screen, title: null }) : ''
  useEffect(() => {
    document.title = title ? `${title} · ${t('shell:product')}` : t('shell:product')
  }, [title])
  // The next user must not see data of this one.
  useEffect(() => {
    sweepDrafts()
    return () => {
      queryClient.clear()
      clearResponseCache()
      forgetTabs()
      forgetUnsaved()
      forgetMe()
      void forgetOffers()
    }
  }, [])
  // Without a network what shows messages could not be loaded, and a refused action would look like one that did nothing.
  useEffect(() => {
    const early = setTimeout(() => void openToaster(), 3_000)
    return () => clearTimeout(early)
  }, [])
  useFocusKeeper(visited?.key)
  const ended = useSessionEnd()
  useEffect(() => {
    // Local storage changes with every login and logout; the cookie itself has no event.
    const events = ['storage', 'focus', 'visibilitychange'] as const
    for (const event of events) addEventListener(event, noticeOtherTab)
    return () => {
      for (const event of events) removeEventListener(event, noticeOtherTab)
    }
  }, [])

  const area: Area = screens.find(({ name }) => name === visited?.screen)?.area ?? 'management'
  const collapse = () => {
    const next = collapsed ? '0' : '1'
    localStorage.setItem(COLLAPSED, next)
    setChosen(next)
  }
  return (
    <QueryClientProvider client={queryClient}>
      <ConfirmHost page={visited?.key} />
      <PaletteHost />
      <ShortcutsHost />
      <UnsavedGuard />
      <RightsWatch visited={visited?.screen} />
      <Suspense>
        <Notices />
      </Suspense>
      <Suspense>{ended ? <ReloginDialog /> : null}</Suspense>
      <div className={classes['topLane']} ref={topLane}>
        <ConnectionBar />
      </div>
      <div className={classes['frame']} data-area={areas[area]}>
        {/* biome-ignore lint/a11y/useValidAnchor: it leads to a fragment; the router would take that for a navigation */}
        <a
          className={classes['skip']}
          href="#content"
          onClick={(event) => {
            event.preventDefault()
            focusContent()
          }}
        >
          {t('shell:skip')}
        </a>
        <TopBar area={area} narrow={narrow} onMenu={toggleDrawer} />
        {narrow ? (
          <Suspense>
            {drawer ? (
              <MenuDrawer
                menu={me().menus[area]}
                area={area}
                active={visited?.key ?? ''}
                screen={visited?.screen}
                onClose={closeDrawer}
              />
            ) : null}
          </Suspense>
        ) : (
          <SideMenu
            menu={me().menus[area]}
            active={visited?.key ?? ''}
            screen={visited?.screen}
            collapsed={collapsed}
            onCollapse={collapse}
          />
        )}
        <div className={classes['main']}>
          <WorkBar />
          {narrow ? null : <TabStrip active={visited?.key ?? ''} />}
          <main className={classes['content']} id="content" tabIndex={-1} aria-label={title}>
            <PrintHead />
            <PageHost />
          </main>
          <Footer />
        </div>
      </div>
    </QueryClientProvider>
  )
}
