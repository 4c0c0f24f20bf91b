import { IconEdit, IconMessagePlus, IconSend, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { getCommandList } from '#schema/command/command'
import { deviceSmsPermission, sendSms } from '#schema/device/commands/sms'
import {
  addSmsMessage,
  deleteSmsMessage,
  getSmsMessageList,
  modifySmsMessage,
  sendSmsMessage,
} from '#schema/device/sms-message'
import type { ReplyOf } from '#schema/kit/call'
import { commandBlockedReason } from '../command/commands.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { t, tOr } from '../kit/i18n.ts'
import type { Column } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { Mono } from '../kit/mono.tsx'
import { useAction } from '../kit/query.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import type { Device } from './device-actions.tsx'

const FormDrawer = lazy(() =>
  import('../kit/form/form-drawer.tsx').then((module) => ({ default: module.FormDrawer })),
)

type Message = ReplyOf<typeof getSmsMessageList>['list'][number]
const tones: Record<Message['state'], Tone> = {
  draft: 'offline',
  sending: 'pending',
  sent: 'online',
  failed: 'critical',
}

const columns: readonly Column<Message>[] = [
  {
    key: 'number',
    title: 'sms-message:field.number',
    width: 160,
    card: 'title',
    render: (row) => <Mono value={row.number} />,
  },
  {
    key: 'state',
    title: 'sms-message:column.state',
    width: 130,
    card: 'beside',
    text: (row) => t(`sms-message:state.${row.state}`),
    render: (row) => (
      <StatusChip
        tone={tones[row.state]}
        label={t(`sms-message:state.${row.state}`)}
        hint={row.error ? tOr(`command:state.${row.error}`, row.error) : undefined}
      />
    ),
  },
  { key: 'text', title: 'sms-message:field.text', width: 320 },
  { key: 'parts', title: 'sms-message:column.parts', width: 80, numeric: true },
  {
    key: 'createdAt',
    title: 'sms-message:column.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
  {
    key: 'sentAt',
    title: 'sms-message:column.sentAt',
    width: 165,
    render: (row) => (row.sentAt ? <When at={row.sentAt} absolute /> : null),
  },
  { key: 'createdBy', title: 'sms-message:column.createdBy', width: 120 },
]

/** [§4 Messages] Short messages of one device: drafts, and what has become of those that were sent. */
export function DeviceMessages({ device }: { device: Device }) {
  const { deviceId } = device
  /** null: a new one; undefined: none is open. */
  const [edited, setEdited] = useState<Message | null | undefined>(undefined)
  const send = useAction(sendSmsMessage, { refreshes: [getSmsMessageList, getCommandList] })
  const remove = useAction(deleteSmsMessage, { refreshes: [getSmsMessageList] })
  const done = ({ state }: Message) =>
    state === 'sent' ? t('sms-message:notDraft') : state === 'sending' ? t('sms-message:underWay') : null
  const askRemove = async (row: Message) => {
    const sure = await ask({
      title: t('sms-message:remove.title'),
      text: t('sms-message:remove.text', { number: row.number }),
      verb: t('sms-message:remove.verb'),
      danger: true,
    })
    if (sure) remove.start({ id: row.id })
  }
  const drawer = {
    opened: true,
    onClose: () => setEdited(undefined),
    verb: t('sms-message:save'),
    refreshes: [getSmsMessageList],
    success: t('sms-message:saved'),
    fields: ['number', 'text'],
  }
  return (
    <>
      <ListView
        title={t('sms-message:title')}
        call={getSmsMessageList}
        rowKey="id"
        body={{ deviceId }}
        columns={columns}
        refreshS={5}
        prefix="sms"
        searchPlaceholder="sms-message:search"
        exportName="short-messages"
        action={
          <ActionButton
            icon={IconMessagePlus}
            label={t('sms-message:create')}
            permission={deviceSmsPermission}
            onPress={() => setEdited(null)}
          />
        }
        rowActions={(row) => [
          {
            key: 'send',
            label: t('sms-message:send'),
            icon: IconSend,
            reason: done(row) ?? commandBlockedReason(device, sendSms.name),
            run: () => send.start({ deviceId, id: row.id }),
          },
          {
            key: 'edit',
            label: t('sms-message:edit'),
            icon: IconEdit,
            reason: done(row),
            run: () => setEdited(row),
          },
          {
            key: 'delete',
            label: t('sms-message:remove.verb'),
            icon: IconTrash,
            danger: true,
            reason: row.state === 'sending' ? t('sms-message:underWay') : null,
            run: () => void askRemove(row),
          },
        ]}
        empty={() => <Empty title={t('sms-message:none')} />}
      />
      <Suspense>
        {edited === null ? (
          <FormDrawer {...drawer} title={t('sms-message:create')} call={addSmsMessage} fixed={{ deviceId }} />
        ) : null}
        {edited ? (
          <FormDrawer
            {...drawer}
            key={edited.id}
            title={t('sms-message:edit')}
            edits
            edition={edited.edition}
            call={modifySmsMessage}
            fixed={{ id: edited.id }}
            initial={{ number: edited.number, text: edited.text }}
          />
        ) : null}
      </Suspense>
    </>
  )
}
