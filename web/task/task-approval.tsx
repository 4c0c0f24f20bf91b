import { Group, Stack, Text, Textarea } from '@mantine/core'
import { IconCheck, IconUserCheck, IconX } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import { approveTask, refuseTask } from '#schema/task/task-approval'
import type { getTask } from '#schema/task/task-calls'
import { taskApprovePermission } from '#schema/task/task-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { declaredProps } from '../kit/form/forms.ts'
import { moment, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { doerText } from '../kit/known-name.ts'
import { toast } from '../kit/toast.tsx'
import classes from './task.module.css'
import { runShowingErrors } from './task-control.tsx'

type Task = ReplyOf<typeof getTask>

async function approve(task: Task) {
  const sure = await ask({
    title: t('rollout:approval.approveTitle', { name: task.name }),
    text: t('rollout:approval.approveText', {
      count: task.counts.total,
      devices: number(task.counts.total),
    }),
    verb: t('rollout:approval.approve'),
  })
  if (!sure) return
  const done = await runShowingErrors(async () => {
    await request(approveTask, { taskId: task.taskId })
    return true
  })
  if (done) void toast('success', t('rollout:approval.approved'))
}

/** By task: what was written is there again when the dialog was left, or the refusal did not arrive. */
const notes = new Map<number, string>()

async function turnDown(task: Task) {
  const sure = await ask({
    title: t('rollout:approval.refuseTitle', { name: task.name }),
    text: (
      <Textarea
        {...declaredProps(refuseTask, 'note')}
        autosize
        minRows={2}
        defaultValue={notes.get(task.taskId) ?? ''}
        onChange={(event) => notes.set(task.taskId, event.currentTarget.value)}
      />
    ),
    verb: t('rollout:approval.refuse'),
    danger: true,
  })
  if (!sure) return
  const done = await runShowingErrors(async () => {
    await request(refuseTask, { taskId: task.taskId, note: notes.get(task.taskId) ?? '' })
    return true
  })
  if (!done) return
  notes.delete(task.taskId)
  void toast('success', t('rollout:approval.refused'))
}

/** Above a task that waits for its second person. */
export function ApprovalBanner({ task }: { task: Task }) {
  const own = task.canApprove ? null : t('rollout:approval.own')
  return (
    <section className={classes['paused']} data-tone="warning" role="status">
      <IconUserCheck size={22} stroke={1.5} aria-hidden />
      <Stack gap={4}>
        <Text fw={600} c="inherit">
          {t('rollout:approval.title')}
        </Text>
        <Text size="sm" c="var(--text-1)">
          {t('rollout:approval.text', {
            by: doerText(task.createdBy),
            time: task.approvalUntil ? moment(task.approvalUntil) : '',
          })}
        </Text>
      </Stack>
      <Group gap={8}>
        <ActionButton
          icon={IconX}
          permission={taskApprovePermission}
          reason={own}
          label={t('rollout:approval.refuse')}
          onPress={() => void turnDown(task)}
        />
        <ActionButton
          rank="primary"
          icon={IconCheck}
          permission={taskApprovePermission}
          reason={own}
          label={t('rollout:approval.approve')}
          onPress={() => void approve(task)}
        />
      </Group>
    </section>
  )
}
