import { Modal } from '@mantine/core'
import { Facts } from '../kit/facts.tsx'
import { t } from '../kit/i18n.ts'
import { When } from '../kit/time.tsx'
import { me } from './me.ts'

export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const { user } = me()
  return (
    <Modal opened onClose={onClose} title={t('shell:user.profile')}>
      <Facts
        facts={[
          { label: t('session:username'), value: user.username },
          { label: t('session:realname'), value: user.realname },
          { label: t('session:role'), value: user.roleName },
          { label: t('session:userType'), value: t(`session:type.${user.userType}`) },
          { label: t('session:customer'), value: user.customerName },
          { label: t('session:email'), value: user.user_email },
          { label: t('session:phone'), value: user.user_tel },
          { label: t('session:address'), value: user.user_addr },
          {
            label: t('session:lastLogin'),
            value: user.userLoginTime ? <When at={user.userLoginTime} /> : null,
          },
        ]}
      />
    </Modal>
  )
}
