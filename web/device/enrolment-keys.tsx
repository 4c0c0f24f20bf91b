import { IconKeyOff } from '@tabler/icons-react'
import { useState } from 'react'
import { createEnrolmentKey, getEnrolmentKeyList, revokeEnrolmentKey } from '#schema/device/enrol'
import type { ReplyOf } from '#schema/kit/call'
import { ActionIconButton } from '../kit/action-button.tsx'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { CopyField, SecretOnce } from '../kit/form/secret-once.tsx'
import { moment, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { Entry, EntryDrawer, useEntries } from '../kit/list/entry-drawer.tsx'
import type { Row } from '../kit/list/list-types.ts'
import { useAction } from '../kit/query.ts'
import { mosquittoOptions } from '../kit/reach.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { useNow } from '../kit/time.tsx'
import { useGroupOptions } from './device-options.ts'

type EnrolmentKey = Row<typeof getEnrolmentKeyList>
type Made = ReplyOf<typeof createEnrolmentKey>
const MINUTE_MS = 60_000

function KeyChip({ item }: { item: EnrolmentKey }) {
  const now = useNow(MINUTE_MS)
  if (item.revokedAt) return <StatusChip tone="offline" label={t('device:keys.revoked')} />
  if (new Date(item.expiresAt).getTime() < now)
    return <StatusChip tone="offline" label={t('device:keys.expired')} />
  if (item.usedCount >= item.maxCount) return <StatusChip tone="warning" label={t('device:keys.usedUp')} />
  return <StatusChip tone="online" label={t('device:keys.active')} />
}

/** The command that a device runs to enrol itself; the response arrives on `down/enrolled`. */
function enrolCommand({ key, mqtt }: Made): string | null {
  const options = mosquittoOptions(mqtt)
  if (options === null) return null
  return [
    'SN=SN-0001',
    `mosquitto_sub ${options} -i "$SN" -u "$SN" -P '${key}' -t "v1/$SN/down/enrolled" -q 1 -C 1 &`,
    'sleep 1',
    `mosquitto_pub ${options} -i "$SN:enrol" -u "$SN" -P '${key}' -t "v1/$SN/up/enrol" -q 1 -m '{"model":"R200"}'`,
    'wait',
  ].join('\n')
}

function KeyEntry({ item }: { item: EnrolmentKey }) {
  const revoke = useAction(revokeEnrolmentKey, {
    refreshes: [getEnrolmentKeyList],
    success: t('device:keys.revokedDone'),
  })
  const press = async () => {
    const sure = await ask({
      title: t('device:keys.revokeTitle', { label: item.label }),
      text: t('device:keys.revokeText'),
      verb: t('device:keys.revoke'),
      danger: true,
    })
    if (sure) revoke.start({ id: item.id })
  }
  return (
    <Entry
      title={item.label}
      chips={<KeyChip item={item} />}
      facts={[
        item.groupName,
        t('device:keys.used', { used: number(item.usedCount), max: number(item.maxCount) }),
        t('device:keys.until', { at: moment(item.expiresAt) }),
        nameText(item.createdBy),
      ]}
    >
      <ActionIconButton
        label={t('device:keys.revoke')}
        icon={IconKeyOff}
        danger
        reason={item.revokedAt ? t('device:keys.revoked') : null}
        onPress={() => void press()}
      />
    </Entry>
  )
}

type Props = {
  opened: boolean
  onClose: () => void
  /** Only the keys of this group, and new ones for it. */
  group?: { gid: number; groupName: string }
}

export function EnrolmentKeys({ opened, onClose, group }: Props) {
  const keys = useEntries(getEnrolmentKeyList, group ? { groupId: group.gid } : {}, opened)
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  return (
    <>
      <EntryDrawer
        opened={opened}
        onClose={onClose}
        title={group ? t('device:keys.titleOf', { group: group.groupName }) : t('device:keys.title')}
        text={t('device:keys.text')}
        entries={keys}
        create={{ label: t('device:keys.create'), onPress: () => setCreating(true) }}
        empty={<Empty title={t('device:keys.none')} text={t('device:keys.noneText')} />}
        entry={(item) => <KeyEntry key={item.id} item={item} />}
      />
      <FormDrawer
        opened={creating}
        onClose={() => setCreating(false)}
        title={t('device:keys.create')}
        verb={t('device:keys.create')}
        call={createEnrolmentKey}
        fixed={group ? { groupId: group.gid } : {}}
        refreshes={[getEnrolmentKeyList]}
        onDone={setMade}
        initial={{ expiresInHours: 168, maxCount: 100 }}
        fields={[
          { name: 'label', required: true },
          ...(group
            ? []
            : [
                {
                  name: 'groupId',
                  required: true,
                  useOptions: useGroupOptions,
                } satisfies Field,
              ]),
          'expiresInHours',
          'maxCount',
        ]}
      />
      <SecretOnce opened={made !== null} onClose={() => setMade(null)} title={t('device:keys.madeTitle')}>
        <CopyField label={t('device:keys.key')} value={made?.key ?? ''} />
        <CopyField block label={t('device:keys.tryIt')} value={made ? enrolCommand(made) : ''} />
      </SecretOnce>
    </>
  )
}
