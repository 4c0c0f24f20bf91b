import { Avatar, Button, Kbd, Menu, VisuallyHidden } from '@mantine/core'
import {
  IconDeviceMobile,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMail,
  IconTerminal2,
  IconUser,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { apiTokensPermission, secondFactorScreen, tokenScreen } from '#schema/people/account-pages'
import { bindEmailPermission, profilePermission } from '#schema/people/profile-pages'
import { changePasswordPermission, userLogout } from '#schema/people/session'
import { isSessionEnd } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { ask } from '../kit/confirm.tsx'
import { dropDrafts } from '../kit/form/drafts.ts'
import { forgetUnsaved, hasUnsaved } from '../kit/form/unsaved.ts'
import { loadWords, t } from '../kit/i18n.ts'
import { pictureName } from '../kit/initials.ts'
import { me } from '../kit/me.ts'
import { goTo } from '../kit/navigation.ts'
import { reportError, useAction } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { settleSession } from '../kit/session-end.ts'
import classes from './shell.module.css'
import { openShortcuts } from './shortcuts-host.tsx'

const ProfileDialog = lazy(async () => {
  const [module] = await Promise.all([import('./profile-dialog.tsx'), loadWords(['profile', 'user', 'role'])])
  return { default: module.ProfileDialog }
})
const EmailDialog = lazy(async () => {
  const [module] = await Promise.all([import('./email-dialog.tsx'), loadWords(['profile'])])
  return { default: module.EmailDialog }
})
const PasswordDialog = lazy(() =>
  import('./password-dialog.tsx').then((module) => ({ default: module.PasswordDialog })),
)

const askToLogout = () =>
  ask({
    title: t('shell:unsaved.logoutTitle'),
    text: t('shell:unsaved.logoutText'),
    verb: t('shell:user.logout'),
    danger: true,
  })

/**
 * [§2 Layout] Profile needs permission 28, change password 148, email binding 176. `short`: only the picture, without
 * the name.
 */
export function UserMenu({ narrow, short }: { narrow: boolean; short: boolean }) {
  const { user } = me()
  const [dialog, setDialog] = useState<'profile' | 'password' | 'email' | null>(null)
  const logout = useAction(userLogout, { quiet: true })
  /** [§7] Clears the storage including drafts; logs out locally even if the session had ended already. */
  const leave = async () => {
    if (hasUnsaved() && !(await askToLogout())) return
    try {
      await logout.run({})
    } catch (error) {
      if (!isSessionEnd(error)) return reportError(error)
    }
    dropDrafts()
    forgetUnsaved()
    settleSession()
    goTo('/login')
  }
  const name = user.nickname || user.realname || user.username
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="subtle" color="gray" px={8}>
            <Avatar
              src={user.user_icon}
              name={pictureName(name)}
              size={24}
              radius="xl"
              color="brand"
              mr={short ? 0 : 8}
              aria-hidden
            />
            {short ? (
              <VisuallyHidden>{t('shell:user.menu', { name })}</VisuallyHidden>
            ) : (
              <span className={classes['userName']} title={name}>
                {name}
              </span>
            )}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user.customerName ?? t(`session:type.${user.userType}`)}</Menu.Label>
          {can(profilePermission) ? (
            <Menu.Item leftSection={<IconUser size={16} stroke={1.5} />} onClick={() => setDialog('profile')}>
              {t('shell:user.profile')}
            </Menu.Item>
          ) : null}
          {can(changePasswordPermission) ? (
            <Menu.Item leftSection={<IconKey size={16} stroke={1.5} />} onClick={() => setDialog('password')}>
              {t('shell:user.changePassword')}
            </Menu.Item>
          ) : null}
          {can(bindEmailPermission) ? (
            <Menu.Item leftSection={<IconMail size={16} stroke={1.5} />} onClick={() => setDialog('email')}>
              {t('shell:user.bindEmail')}
            </Menu.Item>
          ) : null}
          <Menu.Item
            leftSection={<IconDeviceMobile size={16} stroke={1.5} />}
            onClick={() => goTo(secondFactorScreen.path)}
          >
            {t('shell:user.secondFactor')}
          </Menu.Item>
          {can(apiTokensPermission) ? (
            <Menu.Item
              leftSection={<IconTerminal2 size={16} stroke={1.5} />}
              onClick={() => goTo(tokenScreen.path)}
            >
              {t('shell:user.tokens')}
            </Menu.Item>
          ) : null}
          {narrow ? null : (
            <Menu.Item
              leftSection={<IconKeyboard size={16} stroke={1.5} />}
              rightSection={<Kbd>?</Kbd>}
              onClick={openShortcuts}
            >
              {t('shell:shortcuts.title')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} stroke={1.5} />} onClick={() => void leave()}>
            {t('shell:user.logout')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog === 'profile' ? <ProfileDialog onClose={() => setDialog(null)} /> : null}
        {dialog === 'email' ? <EmailDialog onClose={() => setDialog(null)} /> : null}
        {dialog === 'password' ? <PasswordDialog onClose={() => setDialog(null)} /> : null}
      </Suspense>
    </>
  )
}
