import { Avatar, Button, Menu, VisuallyHidden } from '@mantine/core'
import { IconKey, IconLogout, IconUser } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { functions } from '#schema/functions'
import { userLogout } from '#schema/session'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { me } from './me.ts'

const ProfileDialog = lazy(() =>
  import('./profile-dialog.tsx').then((module) => ({ default: module.ProfileDialog })),
)
const PasswordDialog = lazy(() =>
  import('./password-dialog.tsx').then((module) => ({ default: module.PasswordDialog })),
)

/** [§2 Layout] Profile needs permission 28, change password 148. */
export function UserMenu({ narrow }: { narrow: boolean }) {
  const { user } = me()
  const [dialog, setDialog] = useState<'profile' | 'password' | null>(null)
  const logout = useAction(userLogout, { onDone: () => goTo('/login') })
  const name = user.nickname || user.realname || user.username
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="subtle" color="gray" px={8}>
            <Avatar
              src={user.user_icon}
              name={name}
              size={24}
              radius="xl"
              color="brand"
              mr={narrow ? 0 : 8}
              aria-hidden
            />
            {narrow ? <VisuallyHidden>{t('shell:user.menu', { name })}</VisuallyHidden> : name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user.customerName ?? t(`session:type.${user.userType}`)}</Menu.Label>
          {can(functions.profile) ? (
            <Menu.Item leftSection={<IconUser size={16} stroke={1.5} />} onClick={() => setDialog('profile')}>
              {t('shell:user.profile')}
            </Menu.Item>
          ) : null}
          {can(functions.changePassword) ? (
            <Menu.Item leftSection={<IconKey size={16} stroke={1.5} />} onClick={() => setDialog('password')}>
              {t('shell:user.changePassword')}
            </Menu.Item>
          ) : null}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} stroke={1.5} />} onClick={() => logout.start({})}>
            {t('shell:user.logout')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog === 'profile' ? <ProfileDialog onClose={() => setDialog(null)} /> : null}
        {dialog === 'password' ? <PasswordDialog onClose={() => setDialog(null)} /> : null}
      </Suspense>
    </>
  )
}
