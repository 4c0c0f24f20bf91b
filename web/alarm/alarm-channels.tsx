import { Text } from '@mantine/core'
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  alarmChannelsPermission,
  createAlarmChannel,
  deleteAlarmChannel,
  getAlarmChannelList,
  getDeliveryList,
  testAlarmChannel,
  updateAlarmChannel,
} from '#schema/alarm/alarm-channel'
import type { ReplyOf } from '#schema/kit/call'
import { ActionIconButton } from '../kit/action-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { Field, FormValues } from '../kit/form/form-model.ts'
import { CopyField, SecretOnce } from '../kit/form/secret-once.tsx'
import { moment } from '../kit/format.ts'
import { t, textsIn } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { Entry, EntryDrawer, useEntries } from '../kit/list/entry-drawer.tsx'
import type { Row } from '../kit/list/list-types.ts'
import { useAction } from '../kit/query.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { toast } from '../kit/toast.tsx'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'
import { SpentBudgets } from '../platform/spent-budgets.tsx'

type Channel = Row<typeof getAlarmChannelList>
type Tested = ReplyOf<typeof testAlarmChannel>
const SMS_TEMPLATE = '{"to": "{phone}", "message": "{text}"}'
const is = (kind: string) => (values: FormValues) => values['kind'] === kind

/** `shown`: the address of the edited channel, as far as this user may see it; null: a new channel. */
const fields = (shown: string | null, isNew = shown === null): readonly (Field | string)[] => [
  ...(isNew
    ? ([
        {
          name: 'customerId',
          required: true,
          useOptions: useCustomerOptions,
          when: isPlatformUser,
        },
        {
          name: 'kind',
          required: true,
          choices: () => textsIn('alarm:channel.kind'),
        },
      ] satisfies (Field | string)[])
    : []),
  { name: 'name', required: true },
  {
    name: 'secretUrl',
    required: isNew,
    placeholder: isNew ? 'https://' : `${shown}/…`,
    ...(isNew ? {} : { hint: 'alarm:channel.urlKept' as const }),
  },
  {
    name: 'signingSecret',
    hint: 'alarm:channel.signingHint',
    when: is('dingtalk'),
  },
  {
    name: 'template',
    hint: 'alarm:channel.templateHint',
    required: true,
    when: is('sms'),
  },
  { name: 'events', hint: 'alarm:channel.eventsHint', choices: () => textsIn('alarm:notice') },
  ...(isNew
    ? []
    : ([
        'enabled',
        {
          name: 'newSecret',
          when: (values) => values['kind'] === 'webhook' || values['kind'] === 'sms',
        },
      ] satisfies (Field | string)[])),
]

const NEW_FIELDS = fields(null)

/** Why a test failed: the response, or that there was none. */
const failureText = ({ status, response, error }: Pick<Tested, 'status' | 'response' | 'error'>) =>
  error ? t(`alarm:delivery.error.${error}`) : `HTTP ${status ?? ''} ${response ?? ''}`.slice(0, 200)

const tellTest = (tested: Tested) =>
  void toast(
    tested.ok ? 'success' : 'error',
    tested.ok
      ? t('alarm:channel.tested', { status: tested.status ?? 0, ms: tested.tookMs ?? 0 })
      : t('alarm:channel.testFailed', { reason: failureText(tested) }),
  )

function StateChip({ item }: { item: Channel }) {
  if (!item.enabled)
    return <StatusChip tone={item.disabledReason ? 'critical' : 'offline'} label={t('alarm:channel.off')} />
  if (item.brokenAt || item.lastState === 'failed')
    return <StatusChip tone="critical" label={t('alarm:channel.failing')} />
  if (item.lastState === 'sent') return <StatusChip tone="online" label={t('alarm:channel.works')} />
  return (
    <StatusChip
      tone="pending"
      label={t(item.lastState === null ? 'alarm:channel.untried' : 'alarm:delivery.is.sending')}
    />
  )
}

function ChannelEntry({ item, onEdit }: { item: Channel; onEdit: () => void }) {
  const [asking, setAsking] = useState(false)
  const test = useAction(testAlarmChannel, {
    refreshes: [getAlarmChannelList, getDeliveryList],
    onDone: tellTest,
  })
  return (
    <Entry
      title={item.name}
      chips={<StateChip item={item} />}
      facts={[
        t(`alarm:channel.kind.${item.kind}`),
        item.urlShown,
        item.signed ? t('alarm:channel.signed') : null,
        t('alarm:channel.rules', { count: item.ruleCount }),
        item.events.length > 0
          ? item.events.map((event) => t(`alarm:notice.${event}`)).join(t('kit:comma'))
          : null,
        item.lastAt ? t('alarm:channel.lastAt', { at: moment(item.lastAt) }) : null,
        !item.enabled && item.disabledReason
          ? t('alarm:channel.offBy', { reason: item.disabledReason })
          : null,
        item.brokenAt ? t('alarm:channel.brokenAt', { at: moment(item.brokenAt) }) : null,
        isPlatformUser() ? item.customerName : null,
      ]}
    >
      <ActionIconButton
        label={t('alarm:channel.test')}
        icon={IconSend}
        permission={alarmChannelsPermission}
        busy={test.busy}
        onPress={() => (item.kind === 'sms' ? setAsking(true) : test.start({ channelId: item.id }))}
      />
      <ActionIconButton
        label={t('kit:edit')}
        icon={IconPencil}
        permission={alarmChannelsPermission}
        reason={item.changeable ? null : t('alarm:channel.locked')}
        onPress={onEdit}
      />
      <ActionIconButton
        label={t('kit:delete')}
        icon={IconTrash}
        danger
        permission={alarmChannelsPermission}
        reason={item.ruleCount > 0 ? t('alarm:channel.inUse', { count: item.ruleCount }) : null}
        onPress={() =>
          void deleteRow({
            call: deleteAlarmChannel,
            body: { channelId: item.id },
            title: t('alarm:channel.removeTitle'),
            text: t('alarm:channel.removeText', { name: item.name }),
            done: t('alarm:channel.removed', { name: item.name }),
            refreshes: [getAlarmChannelList],
          })
        }
      />
      <FormDrawer
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('alarm:channel.test')}
        verb={t('alarm:channel.test')}
        call={testAlarmChannel}
        fixed={{ channelId: item.id }}
        refreshes={[getAlarmChannelList, getDeliveryList]}
        onDone={tellTest}
        fields={[{ name: 'phone', required: true }]}
      />
    </Entry>
  )
}

/**
 * Does not use `listEditor`: an edit, too, may return a secret that is shown once, and the drawer below must know
 * about the one above it to leave Escape to it. Two more options for this single list would cost more than they save.
 */
export function AlarmChannels({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const channels = useEntries(getAlarmChannelList, {}, opened)
  const [creating, setCreating] = useState(false)
  const [editing, setEditing] = useState<Channel | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const shared = { refreshes: [getAlarmChannelList], success: t('alarm:channel.saved') }
  return (
    <>
      <EntryDrawer
        opened={opened}
        onClose={onClose}
        title={t('alarm:channel.title')}
        text={t('alarm:channel.text')}
        size={620}
        entries={channels}
        create={{
          label: t('alarm:channel.create'),
          permission: alarmChannelsPermission,
          onPress: () => setCreating(true),
        }}
        empty={<Empty title={t('alarm:channel.none')} text={t('alarm:channel.noneText')} />}
        entry={(item) => <ChannelEntry key={item.id} item={item} onEdit={() => setEditing(item)} />}
      >
        <SpentBudgets
          texts={{
            alarm: (said) => t('alarm:spent.alarm', said),
            notice: (said) => t('alarm:spent.notice', said),
          }}
          enabled={opened}
        />
      </EntryDrawer>
      <FormDrawer
        opened={creating}
        onClose={() => setCreating(false)}
        title={t('alarm:channel.create')}
        verb={t('alarm:channel.create')}
        call={createAlarmChannel}
        initial={{ kind: 'webhook', template: SMS_TEMPLATE }}
        fields={NEW_FIELDS}
        onDone={(made) => setSecret(made.secret)}
        {...shared}
      />
      {editing ? (
        <FormDrawer
          key={editing.id}
          opened
          onClose={() => setEditing(null)}
          title={t('alarm:channel.edit', { name: editing.name })}
          verb={t('kit:save')}
          edits
          edition={editing.edition}
          call={updateAlarmChannel}
          fixed={{ channelId: editing.id }}
          initial={{
            kind: editing.kind,
            name: editing.name,
            template: editing.template ?? '',
            events: editing.events,
            enabled: editing.enabled,
          }}
          fields={fields(editing.urlShown)}
          onDone={(made) => setSecret(made.secret)}
          {...shared}
        />
      ) : null}
      <SecretOnce
        opened={secret !== null}
        onClose={() => setSecret(null)}
        title={t('alarm:channel.secretTitle')}
      >
        <Text size="sm">{t('alarm:channel.secretText')}</Text>
        <CopyField label={t('alarm:channel.secret')} value={secret ?? ''} />
      </SecretOnce>
    </>
  )
}
