import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { deleteDevices, deviceRestorePermission, restoreDevices, TYPED_ABOVE } from '#schema/device/unusual'
import type { ReplyOf } from '#schema/kit/call'
import { SubmitButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { Modal } from '../kit/dialog.tsx'
import { boundsOf } from '../kit/form/forms.ts'
import { t } from '../kit/i18n.ts'
import { reportError } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { toast } from '../kit/toast.tsx'
import { withUndo } from '../kit/undo.tsx'
import type { ManyDevices } from './chosen-devices.ts'
import { deviceReads } from './device-reads.ts'

const reasons = ['faulty', 'lost', 'retired', 'returned', 'test'] as const

type Props = { opened: boolean; onClose: () => void; many: ManyDevices }

/** A reason is required. Deleting can be undone, so even for many devices only their number must be typed. */
export function DeviceDelete({ opened, onClose, many }: Props) {
  const { name, count, selection } = many
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const ready = reason.trim() !== '' && (count <= TYPED_ABOVE || typed.trim() === String(count))

  const run = async () => {
    setBusy(true)
    const text = ({ dids }: ReplyOf<typeof deleteDevices>) =>
      name === null
        ? t('unusual:delete.doneMany', { count: dids.length })
        : t('unusual:delete.done', { name })
    const remove = () => request(deleteDevices, { ...selection, atMost: count, reason })
    const done = can(deviceRestorePermission)
      ? await withUndo({
          text,
          run: remove,
          undo: ({ dids }) => request(restoreDevices, { dids }),
          refreshes: deviceReads,
        })
      : await remove().then(
          (reply) => {
            void toast('success', text(reply))
            return reply
          },
          (error) => {
            reportError(error)
            return undefined
          },
        )
    setBusy(false)
    if (!done) return
    onClose()
    many.after?.()
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={name === null ? t('unusual:delete.titleMany', { count }) : t('unusual:delete.title', { name })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void run()
        }}
      >
        <Stack gap="md">
          <Text>{t('unusual:delete.text', { count })}</Text>
          {many.preview}
          <TextInput
            label={t('unusual:delete.reason')}
            description={t('unusual:delete.reasonHint')}
            withAsterisk
            {...boundsOf(deleteDevices, 'reason')}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group gap={4} mt={-8}>
            {reasons.map((key) => (
              <Button
                key={key}
                size="compact-sm"
                variant="default"
                fw={400}
                onClick={() => setReason(t(`unusual:suggest.${key}`))}
              >
                {t(`unusual:suggest.${key}`)}
              </Button>
            ))}
          </Group>
          {count > TYPED_ABOVE ? (
            <TextInput
              label={t('kit:typeToConfirm', { text: String(count) })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('kit:cancel')}
            </Button>
            <SubmitButton
              danger
              label={t('unusual:delete.verb')}
              reason={
                ready
                  ? null
                  : reason.trim() === ''
                    ? t('unusual:delete.needReason')
                    : t('kit:typeToConfirm', { text: String(count) })
              }
              busy={busy}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
