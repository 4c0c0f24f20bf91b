import { UnstyledButton } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { Area } from '#schema/kit/screen'
import { t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import classes from './shell.module.css'
import { HOME } from './tabs.ts'

/**
 * [§2 Layout] The Cloud Monitoring area is shown only when monState is 1, and this user may open a page of it. `onGo`: closes the drawer in narrow
 * windows, where the areas do not fit into the top bar.
 */
export function Areas({ active, onGo }: { active: Area; onGo?: () => void }) {
  const { user, menus } = me()
  const navigate = useNavigate()
  const go = (path: string) => {
    onGo?.()
    void navigate(path)
  }
  const first = menus.monitor.sonId[0]?.path
  return (
    <nav className={classes['areas']} aria-label={t('shell:area.label')}>
      <UnstyledButton
        className={classes['area']}
        data-active={active === 'management' || undefined}
        onClick={() => go(HOME.key)}
      >
        {t('shell:area.management')}
      </UnstyledButton>
      {user.monState === 1 && first !== undefined ? (
        <UnstyledButton
          className={classes['area']}
          data-active={active === 'monitor' || undefined}
          onClick={() => go(first)}
        >
          {t('shell:area.monitor')}
        </UnstyledButton>
      ) : null}
    </nav>
  )
}
