/** Rolling back a task, after saying which devices get which version and which cannot. */
import { List, Stack, Text } from '@mantine/core'
import type { ReplyOf } from '#schema/kit/call'
import { cutText } from '#schema/kit/cut-text'
import type { getTask } from '#schema/task/task-calls'
import { taskListScreen } from '#schema/task/task-pages'
import { previewRollback, rollBackTask } from '#schema/task/task-rollback'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { toast } from '../kit/toast.tsx'
import { runShowingErrors } from './task-control.tsx'

type Task = Pick<ReplyOf<typeof getTask>, 'taskId' | 'name' | 'version'>

export async function askToRollBack(task: Task) {
  const found = await runShowingErrors(() => request(previewRollback, { taskId: task.taskId }))
  if (!found) return
  if (!found.former.some(({ spId }) => spId !== null)) {
    const versions = found.former.map(({ version }) => version).join(t('kit:comma'))
    void toast('warning', versions ? t('rollout:rollback.gone', { versions }) : t('rollout:rollback.none'))
    return
  }
  const sure = await ask({
    title: t('rollout:rollback.title', { name: task.name }),
    text: (
      <Stack gap="xs">
        <Text>{t('rollout:rollback.text', { version: task.version ?? '' })}</Text>
        <List spacing={4} size="sm">
          {found.former.map(({ version, devices, spId }) => (
            <List.Item key={version}>
              {t(spId === null ? 'rollout:rollback.without' : 'rollout:rollback.to', {
                devices: number(devices),
                version,
              })}
            </List.Item>
          ))}
        </List>
        {found.pauses ? <Text>{t('rollout:rollback.pauses')}</Text> : null}
      </Stack>
    ),
    verb: t('rollout:rollback.verb'),
    danger: true,
  })
  if (!sure) return
  const name = cutText(t('rollout:rollback.name', { name: task.name }), 64)
  const done = await runShowingErrors(() => request(rollBackTask, { taskId: task.taskId, name }))
  const [first] = done?.tasks ?? []
  if (first) goTo(`${taskListScreen.path}/${first.taskId}`)
}
