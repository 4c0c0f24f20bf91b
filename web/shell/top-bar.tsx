import { ActionIcon, Burger, UnstyledButton } from '@mantine/core'
import { useFullscreenDocument, useMediaQuery } from '@mantine/hooks'
import { IconMaximize, IconMinimize, IconSearch } from '@tabler/icons-react'
import { Link, useNavigation } from 'react-router'
import type { Area } from '#schema/kit/screen'
import { t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import { LanguageMenu } from '../kit/page/language-menu.tsx'
import { ThemeMenu } from '../kit/page/theme-menu.tsx'
import { useSlow } from '../kit/slow.ts'
import { toast } from '../kit/toast.tsx'
import { AlarmBell } from './alarm-bell.tsx'
import { Areas } from './areas.tsx'
import { COMMAND } from './command-key.ts'
import { openPalette } from './palette-host.tsx'
import classes from './shell.module.css'
import { HOME } from './tabs.ts'
import { UserMenu } from './user-menu.tsx'

function Fullscreen() {
  const { toggle, fullscreen } = useFullscreenDocument()
  const press = () => {
    if (!document.fullscreenEnabled) return void toast('warning', t('shell:fullscreen.unsupported'))
    void toggle()
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      onClick={press}
      aria-label={t(fullscreen ? 'shell:fullscreen.leave' : 'shell:fullscreen.enter')}
    >
      {fullscreen ? <IconMinimize size={18} stroke={1.5} /> : <IconMaximize size={18} stroke={1.5} />}
    </ActionIcon>
  )
}

export function TopBar({ area, narrow, onMenu }: { area: Area; narrow: boolean; onMenu: () => void }) {
  // In this range labels are replaced by symbols.
  const cramped = useMediaQuery('(max-width: 1099px)', false, { getInitialValueInEffect: false })
  const busy = useSlow(useNavigation().state === 'loading')
  const logo = me().user.customerLogo
  return (
    <header className={classes['top']}>
      {narrow ? <Burger size="sm" onClick={onMenu} aria-label={t('shell:menu')} /> : null}
      <Link to={HOME.key} className={classes['brand']} aria-label={t('shell:product')}>
        <img
          src={logo ?? '/logo.svg'}
          data-customer={logo !== null || undefined}
          alt={logo ? (me().user.customerName ?? '') : ''}
        />
        {narrow || logo ? null : <span className={classes['product']}>{t('shell:product')}</span>}
      </Link>
      {narrow ? null : <Areas active={area} />}
      <div style={{ flex: 1 }} />
      {cramped ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('shell:search')}
          onClick={() => void openPalette()}
        >
          <IconSearch size={18} stroke={1.5} />
        </ActionIcon>
      ) : (
        <UnstyledButton className={classes['search']} onClick={() => void openPalette()}>
          <IconSearch size={16} stroke={1.5} />
          {t('shell:search')}
          <kbd>{COMMAND} K</kbd>
        </UnstyledButton>
      )}
      {narrow ? null : <Fullscreen />}
      <AlarmBell />
      <ThemeMenu />
      <LanguageMenu compact={cramped} />
      <UserMenu narrow={narrow} short={cramped} />
      {busy ? <div className={classes['busy']} role="progressbar" aria-label={t('kit:loading')} /> : null}
    </header>
  )
}
