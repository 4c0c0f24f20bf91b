import { Drawer } from '@mantine/core'
import { t } from '../kit/i18n.ts'
import type { Menu } from './me.ts'
import { SideMenu } from './side-menu.tsx'

/** The side menu of narrow windows. */
export function MenuDrawer({ menu, active, onClose }: { menu: Menu; active: string; onClose: () => void }) {
  return (
    <Drawer opened onClose={onClose} position="left" size={280} title={t('shell:product')}>
      <SideMenu menu={menu} active={active} onPick={onClose} />
    </Drawer>
  )
}
