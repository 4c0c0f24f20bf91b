import { CloseButton, Menu, UnstyledButton } from '@mantine/core'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { forgetUnsaved, useUnsavedPages } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import { inSight } from './in-sight.ts'
import { tabTitle } from './page-host.tsx'
import classes from './shell.module.css'
import { changeTabs, useTabs } from './tab-store.ts'
import { type CloseWhat, close, HOME, type Tab } from './tabs.ts'
import { askToLeave } from './unsaved-guard.tsx'

const MIDDLE_BUTTON = 1

function VisitedTab({
  tab,
  active,
  unsaved,
  onClose,
}: {
  tab: Tab
  unsaved: boolean
  active: boolean
  onClose: (what: CloseWhat) => void
}) {
  const [menu, setMenu] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const home = tab.key === HOME.key
  const title = tabTitle(tab)
  // The strip gets narrower with the window and the side menu; titles are known only after pages open, and push others aside.
  useEffect(() => {
    const own = element.current
    if (!active || !own?.parentElement) return
    const seen = new ResizeObserver(() => inSight(() => own))
    for (const one of [own.parentElement, ...own.parentElement.children]) seen.observe(one)
    return () => seen.disconnect()
  }, [active])
  const context = (event: MouseEvent) => {
    event.preventDefault()
    setMenu(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the link and the buttons inside are the controls
    <div
      ref={element}
      className={classes['tab']}
      data-active={active || undefined}
      data-home={home || undefined}
      onContextMenu={context}
      onAuxClick={(event) => {
        if (event.button !== MIDDLE_BUTTON || home) return
        // The browser would open the link in a new window as well.
        event.preventDefault()
        onClose('this')
      }}
    >
      <Link to={tab.key + tab.search} title={title} aria-current={active ? 'page' : undefined}>
        {title}
        {unsaved ? (
          <span className={classes['unsaved']} role="img" aria-label={t('shell:unsaved.mark')} />
        ) : null}
      </Link>
      {home ? null : (
        <CloseButton
          size={24}
          iconSize={12}
          aria-label={t('shell:tab.close', { title })}
          onClick={() => onClose('this')}
        />
      )}
      <Menu opened={menu} onChange={setMenu} position="bottom-start">
        <Menu.Target>
          <UnstyledButton className={classes['tabMenu']} tabIndex={-1} aria-hidden />
        </Menu.Target>
        <Menu.Dropdown>
          {home ? null : <Menu.Item onClick={() => onClose('this')}>{t('shell:tab.closeThis')}</Menu.Item>}
          <Menu.Item onClick={() => onClose('others')}>{t('shell:tab.closeOthers')}</Menu.Item>
          <Menu.Item onClick={() => onClose('left')}>{t('shell:tab.closeLeft')}</Menu.Item>
          <Menu.Item onClick={() => onClose('right')}>{t('shell:tab.closeRight')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** [§2 Layout] Visited pages: middle click closes, right click closes others, left or right. */
export function TabStrip({ active }: { active: string }) {
  const tabs = useTabs()
  const navigate = useNavigate()
  const unsaved = useUnsavedPages()
  const closeTab = async (key: string, what: CloseWhat) => {
    const closed = close(tabs, key, what, active)
    const gone = tabs.flatMap((tab) => (closed.tabs.includes(tab) ? [] : tab.key))
    const lost = gone.filter((path) => unsaved.has(path))
    if (lost.length > 0 && !(await askToLeave())) return
    forgetUnsaved(lost)
    // Others may have got their titles, or been taken away, while the question was open.
    changeTabs((now) => now.filter((tab) => !gone.includes(tab.key)))
    if (closed.goTo) void navigate(closed.goTo.key + closed.goTo.search)
  }
  return (
    <nav
      className={classes['strip']}
      aria-label={t('shell:tab.strip')}
      onWheel={(event) => {
        event.currentTarget.scrollLeft += event.deltaY
      }}
    >
      {tabs.map((tab) => (
        <VisitedTab
          key={tab.key}
          tab={tab}
          active={tab.key === active}
          unsaved={unsaved.has(tab.key)}
          onClose={(what) => void closeTab(tab.key, what)}
        />
      ))}
    </nav>
  )
}
