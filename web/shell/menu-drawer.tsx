import type { Area } from '#schema/kit/screen'
import { Drawer } from '../kit/dialog.tsx'
import { t } from '../kit/i18n.ts'
import { type Menu, me } from '../kit/me.ts'
import { Areas } from './areas.tsx'
import classes from './shell.module.css'
import { SideMenu } from './side-menu.tsx'

type Props = {
  menu: Menu
  area: Area
  active: string
  screen: string | undefined
  onClose: () => void
}

/** The side menu in narrow windows, and the areas if there are two. */
export function MenuDrawer({ menu, area, active, screen, onClose }: Props) {
  return (
    <Drawer opened onClose={onClose} position="left" size={280} title={t('shell:product')}>
      {me().user.monState === 1 ? (
        <div className={classes['drawerAreas']}>
          <Areas active={area} onGo={onClose} />
        </div>
      ) : null}
      <SideMenu menu={menu} active={active} screen={screen} onPick={onClose} />
    </Drawer>
  )
}
