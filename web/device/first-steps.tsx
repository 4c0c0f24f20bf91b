import { Stepper, Text } from '@mantine/core'
import { deviceCreatePermission } from '#schema/device/device-pages'
import { enrolmentKeysPermission, getEnrolmentKeyList } from '#schema/device/enrol'
import { getGroupList } from '#schema/group/group'
import { groupListPermission } from '#schema/group/group-pages'
import { Card } from '../kit/card.tsx'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { DeviceListActions, FirstDevice } from './device-list-actions.tsx'

const LOOK_AGAIN_S = 5

/** The first run: a group, a way to add devices, the first heartbeat. Its progress is read from the server. */
export function FirstSteps({ onDone }: { onDone: () => void }) {
  const groups = useCall(getGroupList, { limit: 1 }, { enabled: can(groupListPermission) })
  const keys = useCall(
    getEnrolmentKeyList,
    { limit: 1 },
    { enabled: can(enrolmentKeysPermission), refreshS: LOOK_AGAIN_S },
  )
  if (!can(deviceCreatePermission) && !can(enrolmentKeysPermission)) return <FirstDevice onDone={onDone} />
  const grouped = (groups.data?.total ?? 0) > 0
  const keyed = (keys.data?.total ?? 0) > 0
  const active = keyed ? 2 : grouped ? 1 : 0
  return (
    <Card title={t('dashboard:first.title')}>
      <Text c="dimmed" mb="md">
        {t('dashboard:first.text')}
      </Text>
      <Stepper active={active} orientation="vertical" size="sm">
        <Stepper.Step label={t('dashboard:first.group')} description={t('dashboard:first.groupText')} />
        <Stepper.Step label={t('dashboard:first.device')} description={t('dashboard:first.deviceText')} />
        <Stepper.Step
          label={t('dashboard:first.heartbeat')}
          description={t('dashboard:first.heartbeatText')}
          loading={active === 2}
        />
      </Stepper>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, marginTop: 16 }}>
        <DeviceListActions reload={onDone} />
      </div>
    </Card>
  )
}
