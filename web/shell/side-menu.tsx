import { ActionIcon, Menu, Tooltip, UnstyledButton } from '@mantine/core'
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconAlertTriangle,
  IconBell,
  IconChartDots,
  IconChartHistogram,
  IconChevronDown,
  IconHome,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconPackage,
  IconRouter,
  IconSettings,
  IconTopologyStar3,
} from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { menuParents } from '#schema/kit/screen'
import { homeScreen } from '#schema/people/session'
import { t } from '../kit/i18n.ts'
import type { Menu as MenuReply } from '../kit/me.ts'
import { screenTitle } from '../kit/page/screen-title.ts'
import { inSight } from './in-sight.ts'
import { screens } from './screens.ts'
import classes from './shell.module.css'
import { HOME } from './tabs.ts'

const icons: Record<keyof typeof menuParents, Icon> = {
  device: IconRouter,
  fault: IconAlertTriangle,
  report: IconChartHistogram,
  configuration: IconAdjustmentsHorizontal,
  software: IconPackage,
  system: IconSettings,
  monitorDevice: IconTopologyStar3,
  monitorAlarm: IconBell,
  monitorReport: IconChartDots,
}
const iconOf = (parentId: number): Icon => {
  const names = Object.keys(menuParents) as (keyof typeof menuParents)[]
  const name = names.find((known) => menuParents[known].id === parentId)
  return name ? icons[name] : IconRouter
}

const aboveOf = (name: string): string | undefined => {
  const page = screens.find((known) => known.name === name)
  return page?.under ?? page?.belongsTo
}

/** The name of the entry for a page: its own, or that of the page that it is declared under or belongs to. */
function entryOf(entries: MenuReply['sonId'], screen: string | undefined, path: string): string | undefined {
  for (let name = screen; name !== undefined; name = aboveOf(name))
    if (entries.some((entry) => entry.name === name)) return name
  return entries.find((entry) => path === entry.path || path.startsWith(`${entry.path}/`))?.name
}

type Props = {
  menu: MenuReply
  /** The page's path. */
  active: string
  /** The page's screen; absent before the first page is there. */
  screen: string | undefined
  collapsed?: boolean
  /** Absent in the drawer of narrow windows, which cannot be collapsed. */
  onCollapse?: () => void
  onPick?: () => void
}

/** [§2 Layout] Built from the menu call; on a detail page the entry of its list stays highlighted. */
export function SideMenu({ menu, active, screen, collapsed = false, onCollapse, onPick }: Props) {
  const entries = useRef<HTMLDivElement>(null)
  // The page may have been opened by URL, palette or tab: scroll to its entry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page highlights another entry, and the labels take room
  useEffect(() => {
    inSight(() => entries.current?.querySelector('[aria-current="page"]'))
  }, [active, collapsed])
  const entry = entryOf(menu.sonId, screen, active)
  const lit = (name: string) => name === entry || undefined
  const sons = (parentId: number) => menu.sonId.filter((son) => son.parentId === parentId)
  const son = ({ name, path, underId }: MenuReply['sonId'][number]) => (
    <Link
      key={path}
      to={path}
      className={`${classes['link']} ${classes['sub']}`}
      data-below={underId !== null || undefined}
      data-active={lit(name)}
      aria-current={lit(name) ? 'page' : undefined}
      onClick={onPick}
    >
      {screenTitle({ name })}
    </Link>
  )
  const home = (
    <Link
      to={HOME.key}
      className={classes['link']}
      data-active={active === HOME.key || undefined}
      aria-label={screenTitle(homeScreen)}
      onClick={onPick}
    >
      <IconHome size={18} stroke={1.5} />
      {collapsed ? null : screenTitle(homeScreen)}
    </Link>
  )
  return (
    <nav
      className={onCollapse ? classes['side'] : undefined}
      data-collapsed={collapsed || undefined}
      aria-label={t('shell:menu')}
    >
      <div className={classes['menu']} ref={entries}>
        {collapsed ? (
          <Tooltip label={screenTitle(homeScreen)} position="right">
            {home}
          </Tooltip>
        ) : (
          home
        )}
        {menu.queryResult.map(({ parentId, parentName }) => {
          const ParentIcon = iconOf(parentId)
          return collapsed ? (
            <Menu key={parentId} trigger="click-hover" position="right-start" shadow="md" closeDelay={80}>
              <Menu.Target>
                <UnstyledButton
                  className={classes['link']}
                  aria-label={parentName}
                  data-active={sons(parentId).some(({ name }) => lit(name)) || undefined}
                >
                  <ParentIcon size={18} stroke={1.5} />
                </UnstyledButton>
              </Menu.Target>
              <Menu.Dropdown p={8} className={classes['flyout']}>
                <Menu.Label>{parentName}</Menu.Label>
                {sons(parentId).map(({ name, path, underId }) => (
                  <Menu.Item
                    key={path}
                    data-below={underId !== null || undefined}
                    component={Link}
                    to={path}
                    data-active={lit(name)}
                    aria-current={lit(name) ? 'page' : undefined}
                    onClick={onPick}
                  >
                    {screenTitle({ name })}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          ) : (
            <details key={parentId} className={classes['section']} open>
              <summary>
                <ParentIcon size={18} stroke={1.5} aria-hidden />
                <span>{parentName}</span>
                <IconChevronDown size={14} stroke={1.5} aria-hidden />
              </summary>
              {sons(parentId).map((one) => son(one))}
            </details>
          )
        })}
      </div>
      {onCollapse ? (
        <ActionIcon
          m={12}
          variant="subtle"
          color="gray"
          aria-label={t(collapsed ? 'shell:expand' : 'shell:collapse')}
          aria-expanded={!collapsed}
          onClick={onCollapse}
        >
          {collapsed ? (
            <IconLayoutSidebarLeftExpand size={18} stroke={1.5} />
          ) : (
            <IconLayoutSidebarLeftCollapse size={18} stroke={1.5} />
          )}
        </ActionIcon>
      ) : null}
    </nav>
  )
}
