import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { getCommandList } from '#schema/command/command'
import { TYPED_ABOVE } from '#schema/device/unusual'
import { addTask, previewTask } from '#schema/task/add-task'
import { getTaskList } from '#schema/task/task-calls'
import { taskListPermission, taskListScreen } from '#schema/task/task-pages'
import { useCommandForm } from '../command/command-form.ts'
import { commandNamed } from '../command/commands.ts'
import type { CommandedDevices } from '../device/chosen-devices.ts'
import { SubmitButton } from '../kit/action-button.tsx'
import { Modal } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { FormFields } from '../kit/form/form-fields.tsx'
import { duration, number } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction, useCall } from '../kit/query.ts'
import { makeRequestId } from '../kit/server/request-id.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { can } from '../kit/session.ts'
import { toast } from '../kit/toast.tsx'
import { JoinField } from './join-field.tsx'
import { LeftOutList } from './left-out.tsx'
import { joinsUntil, noRollout, rolloutBody } from './rollout-choice.ts'
import { RolloutFields } from './rollout-fields.tsx'
import { kindSending } from './task-kinds.ts'

type Props = { opened: boolean; onClose: () => void; many: CommandedDevices; command: string }

/** Shows which devices get the command, which do not and why; then sends it as a query and opens the result. */
export function CommandMany({ opened, onClose, many, command }: Props) {
  const name = tOr(`command:name.${command}`, command)
  const declared = commandNamed(command)
  const { confirm } = declared
  const { fields, form, args } = useCommandForm(declared)
  // One dialog creates one task, even if it is submitted several times.
  const [requestId] = useState(makeRequestId)
  const [rollout, setRollout] = useState(noRollout)
  const [typed, setTyped] = useState('')
  // Fetched once: what is being confirmed must not change on screen.
  const preview = useCall(
    previewTask,
    { ...kindSending(command), ...many.selection },
    { enabled: opened, once: true },
  )
  const found = preview.data
  const eligible = found?.eligible ?? 0
  const count = found?.matching ?? many.count
  const action = useAction(addTask, {
    refreshes: [getTaskList, getCommandList],
    onDone: ({ taskId, devices }) => {
      onClose()
      many.after?.()
      if (can(taskListPermission)) goTo(`${taskListScreen.path}/${taskId}`)
      else void toast('success', t('command-many:made', { count: devices }))
    },
    quiet: true,
  })
  const isTyped = eligible > TYPED_ABOVE || (confirm === 'typed' && eligible > 0)
  const ready = eligible > 0 && (!isTyped || typed.trim() === String(eligible))
  const send = () =>
    action.start({
      ...many.selection,
      ...kindSending(command),
      name: t('command-many:ask.name', { name, count: eligible }),
      args,
      requestId,
      ...rolloutBody(rollout),
      ...joinsUntil(rollout.joinDays, many.selection.filter, serverNow()),
      atMost: found?.matching ?? 0,
      ...(found?.secondPerson ? { typedCount: Number(typed) } : {}),
    })
  const again = () => {
    setTyped('')
    void preview.refetch()
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={count === null ? name : t('command-many:ask.title', { name, count })}
    >
      <form noValidate onSubmit={form.onSubmit(() => (ready ? send() : undefined))}>
        <Stack gap="md">
          {many.preview}
          {preview.error ? <ErrorBar error={preview.error} onRetry={again} /> : null}
          {action.error ? <ErrorBar error={action.error} onRetry={again} /> : null}
          {found ? (
            <>
              <Alert color={eligible > 0 ? 'blue' : 'yellow'} role="status">
                <Text fw={600}>
                  {t('command-many:ask.eligible', {
                    eligible: number(eligible),
                    matching: number(found.matching),
                  })}
                </Text>
                {eligible > 0 ? (
                  <Text size="sm">
                    {t('command-many:ask.pace', {
                      atOnce: number(found.atOnce),
                      wait: duration(found.waitS),
                    })}
                  </Text>
                ) : null}
              </Alert>
              <LeftOutList leftOut={found.leftOut} />
              <RolloutFields
                value={rollout}
                change={(part) => setRollout((before) => ({ ...before, ...part }))}
                secondPerson={found.secondPerson}
              />
              {many.selection.filter && !found.secondPerson ? (
                <JoinField
                  filter={many.selection.filter}
                  days={rollout.joinDays}
                  onChange={(joinDays) => setRollout((before) => ({ ...before, joinDays }))}
                />
              ) : null}
              <FormFields fields={fields} form={form} values={form.values} />
            </>
          ) : preview.error ? null : (
            <Skeleton height={72} />
          )}
          {found?.secondPerson ? <Text size="sm">{t('rollout:approval.mustBe')}</Text> : null}
          {isTyped ? (
            <TextInput
              label={t('kit:typeToConfirm', { text: String(eligible) })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              inputMode="numeric"
              data-autofocus
            />
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('kit:cancel')}
            </Button>
            <SubmitButton
              danger={confirm !== 'none'}
              label={t('command-many:ask.verb', { name, count: eligible })}
              reason={
                ready
                  ? null
                  : eligible === 0
                    ? t('command-many:ask.none')
                    : t('kit:typeToConfirm', { text: String(eligible) })
              }
              busy={action.busy}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
