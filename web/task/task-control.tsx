/** Cancelling, retrying and deleting, each with a confirmation before and a message after. */
import { List, Stack, Text } from '@mantine/core'
import type { BodyOf } from '#schema/kit/call'
import type { TaskFailure } from '#schema/kit/task-kind'
import {
  cancelTask,
  deleteTask,
  getTask,
  getTaskItems,
  getTaskList,
  retryTask,
} from '#schema/task/task-calls'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { t } from '../kit/i18n.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import { sentences } from '../kit/words/sentences.ts'
import type { ItemRow, TaskRow } from './task-chips.tsx'
import { kindNamed } from './task-kinds.ts'
import { cancelMeans } from './task-segments.ts'

export function refreshTasks() {
  for (const { name } of [getTaskList, getTask, getTaskItems])
    void queryClient.invalidateQueries({ queryKey: [name] })
}

/** Runs it; errors are shown, and null is returned. */
export async function runShowingErrors<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run()
  } catch (error) {
    reportError(error)
    return null
  } finally {
    refreshTasks()
  }
}

/** What cancelling means for the devices in each state. */
function CancelText({ task }: { task: Pick<TaskRow, 'counts' | 'kind'> }) {
  const { waiting, sent: working, locked, ended } = cancelMeans(task.counts, kindNamed(task.kind)?.lockedFrom)
  return (
    <Stack gap="xs">
      <Text>{t('upgrade:cancel.text')}</Text>
      <List spacing={4} size="sm">
        {waiting > 0 ? <List.Item>{t('upgrade:cancel.waiting', { count: waiting })}</List.Item> : null}
        {working > 0 ? <List.Item>{t('upgrade:cancel.working', { count: working })}</List.Item> : null}
        {locked > 0 ? <List.Item>{t('upgrade:cancel.locked', { count: locked })}</List.Item> : null}
        {ended > 0 ? <List.Item>{t('upgrade:cancel.ended', { count: ended })}</List.Item> : null}
      </List>
    </Stack>
  )
}

async function cancel(body: BodyOf<typeof cancelTask>) {
  const done = await runShowingErrors(() => request(cancelTask, body))
  if (!done) return
  const said = t('upgrade:cancel.done', { count: done.cancelled })
  if (done.locked === 0) void toast('success', said)
  else void toast('warning', sentences([said, t('upgrade:cancel.doneLocked', { count: done.locked })]))
}

export async function askToCancel(task: Pick<TaskRow, 'taskId' | 'name' | 'counts' | 'kind'>) {
  const sure = await ask({
    title: t('upgrade:cancel.title', { name: task.name }),
    text: <CancelText task={task} />,
    verb: t('upgrade:cancel.verb'),
    dismiss: t('upgrade:cancel.dismiss'),
    danger: true,
  })
  if (sure) await cancel({ taskId: task.taskId })
}

export async function cancelItem(taskId: number, item: Pick<ItemRow, 'itemId' | 'deviceName'>) {
  const sure = await ask({
    title: t('upgrade:cancel.one'),
    text: t('upgrade:cancel.oneText', { name: item.deviceName }),
    verb: t('upgrade:cancel.one'),
    dismiss: t('upgrade:cancel.dismiss'),
    danger: true,
  })
  if (sure) await cancel({ taskId, itemIds: [item.itemId] })
}

/** A retry is harmless: devices that meanwhile have the version are skipped. */
export async function retry(
  taskId: number,
  { paused = false, ...of }: { failure?: TaskFailure; itemIds?: string[]; paused?: boolean } = {},
) {
  const done = await runShowingErrors(() => request(retryTask, { taskId, ...of }))
  if (!done) return
  const count = done.retried
  const said = paused && count > 0 ? t('upgrade:retry.waits', { count }) : t('upgrade:retry.done', { count })
  const skipped = done.skipped > 0 ? t('upgrade:retry.skipped', { count: done.skipped }) : ''
  void toast(count > 0 && !paused ? 'success' : 'warning', sentences([said, skipped]))
}

export const whyNotDeleted = (task: Pick<TaskRow, 'status'>) =>
  task.status === 'completed' ? null : t('upgrade:delete.ongoing')

/** Resolves to whether it was deleted. */
export async function askToDelete(task: Pick<TaskRow, 'taskId' | 'name'>): Promise<boolean> {
  const sure = await ask({
    title: t('upgrade:delete.title'),
    text: t('upgrade:delete.text', { name: task.name }),
    verb: t('upgrade:delete.verb'),
    danger: true,
  })
  if (!sure) return false
  const done = await runShowingErrors(async () => {
    await request(deleteTask, { taskId: task.taskId })
    return true
  })
  if (done) void toast('success', t('upgrade:delete.done', { name: task.name }))
  return done === true
}
