import { Avatar, Button, Group, Stack, Text } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import { useState } from 'react'
import { editProfilePermission } from '#schema/people/profile-pages'
import type { UserDetails } from '#schema/people/session'
import { Modal } from '../kit/dialog.tsx'
import { Facts } from '../kit/facts.tsx'
import { useLeave } from '../kit/form/leave.ts'
import { t } from '../kit/i18n.ts'
import { pictureName } from '../kit/initials.ts'
import { loadMe, useMe } from '../kit/me.ts'
import { reportError } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import { ProfileEdit } from '../people/profile-edit.tsx'
import { roleText } from '../people/role-name.ts'

const roleOf = ({ roleName, roleTemplate }: UserDetails) =>
  roleName === null ? null : roleText(roleName, roleTemplate)

function View({ onEdit }: { onEdit: () => void }) {
  const user = useMe()?.user
  if (!user) return null
  const sex = user.user_sex === 1 || user.user_sex === 2 ? (user.user_sex === 1 ? '1' : '2') : '0'
  return (
    <Stack gap="md">
      <Group gap={12} wrap="nowrap">
        <Avatar
          src={user.user_icon}
          name={pictureName(user.nickname || user.realname || user.username)}
          size={56}
          radius="50%"
          color="brand"
        />
        <div style={{ minWidth: 0 }}>
          <Text fw={600} size="lg" truncate>
            {user.nickname || user.realname || user.username}
          </Text>
          <Text c="dimmed" size="sm">
            {t(`session:type.${user.userType}`)}
          </Text>
        </div>
      </Group>
      <Facts
        width={140}
        facts={[
          { label: t('session:username'), value: user.username },
          { label: t('session:realname'), value: user.realname },
          { label: t('profile:nickname'), value: user.nickname },
          { label: t('profile:sex'), value: t(`profile:sexes.${sex}`) },
          { label: t('session:role'), value: roleOf(user) },
          { label: t('session:customer'), value: user.customerName },
          { label: t('session:email'), value: user.user_email },
          { label: t('session:phone'), value: user.user_tel },
          { label: t('profile:qq'), value: user.user_qq },
          { label: t('session:address'), value: user.user_addr },
          {
            label: t('profile:secondFactor'),
            value: t(user.totpOn ? 'profile:on' : 'profile:off'),
          },
          {
            label: t('session:lastLogin'),
            value: user.userLoginTime ? <When at={user.userLoginTime} /> : null,
          },
        ]}
      />
      {can(editProfilePermission) ? (
        <Group justify="flex-end">
          <Button leftSection={<IconEdit size={16} stroke={1.5} />} onClick={onEdit}>
            {t('profile:edit')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}

/** [§2 Layout] Profile needs permission 28, editing it 21. */
export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const [editing, setEditing] = useState(false)
  const [dirty, setDirty] = useState(false)
  const { close } = useLeave('profile', dirty, onClose)
  const edit = () => {
    // At once, but after a failed renewal: what is edited must be what was saved.
    loadMe().then(() => setEditing(true), reportError)
  }
  const done = () => {
    setDirty(false)
    setEditing(false)
  }
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={!editing}
      title={t(editing ? 'profile:edit' : 'shell:user.profile')}
    >
      {editing ? <ProfileEdit onDone={done} onDirty={setDirty} /> : <View onEdit={edit} />}
    </Modal>
  )
}
