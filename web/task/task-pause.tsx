/** Pausing and resuming, each with a confirmation before and a message after. */
import { List, Stack, Text } from '@mantine/core'
import type { ReplyOf } from '#schema/kit/call'
import { type getTask, pauseTask, resumeTask } from '#schema/task/task-calls'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { toast } from '../kit/toast.tsx'
import { failureName } from './step-text.ts'
import { runShowingErrors } from './task-control.tsx'
import { kindNamed } from './task-kinds.ts'
import { cancelMeans, waveAfterResume } from './task-segments.ts'

type Task = ReplyOf<typeof getTask>

/** The states of the devices affected by a pause, one line each. */
export function standingLines({ counts, kind }: Pick<Task, 'counts' | 'kind'>): string[] {
  const { waiting, sent: working, locked } = cancelMeans(counts, kindNamed(kind)?.lockedFrom)
  return [
    ...(waiting > 0 ? [t('upgrade:paused.waiting', { count: waiting })] : []),
    ...(working > 0 ? [t('upgrade:paused.working', { count: working })] : []),
    ...(locked > 0 ? [t('upgrade:paused.locked', { count: locked })] : []),
  ]
}

const CAUSES_SHOWN = 3
/** The failures, the most frequent first. */
export const causesText = ({ failures, kind }: Pick<Task, 'failures' | 'kind'>) =>
  failures
    .slice(0, CAUSES_SHOWN)
    .map(({ failure, count }) => `${failureName(failure, kind)} ×${number(count)}`)
    .join(t('kit:comma'))

const lines = (texts: readonly string[]) => (
  <List spacing={4} size="sm">
    {texts.map((text) => (
      <List.Item key={text}>{text}</List.Item>
    ))}
  </List>
)

export async function askToPause(task: Task) {
  const sure = await ask({
    title: t('upgrade:pause.title', { name: task.name }),
    text: (
      <Stack gap="xs">
        <Text>{t('upgrade:pause.text')}</Text>
        {lines(standingLines(task))}
      </Stack>
    ),
    verb: t('upgrade:pause.verb'),
  })
  if (!sure) return
  const done = await runShowingErrors(async () => {
    await request(pauseTask, { taskId: task.taskId })
    return true
  })
  if (done) void toast('success', t('upgrade:pause.done'))
}

/** What resuming means for a wave that fell short: without a retry the next one begins at once. */
function waveLines(task: Task): string[] {
  const go = waveAfterResume(task)
  if (!go) return []
  const n = number(go.nth + 1)
  if (go.again) return [t('rollout:wave.again', { n })]
  return [
    t('rollout:wave.follows', { n, count: go.devices, devices: number(go.devices) }),
    ...(task.counts.failed > 0 ? [t('rollout:wave.retryFirst')] : []),
  ]
}

export async function askToResume(task: Task) {
  const { failed, created } = task.counts
  const sure = await ask({
    title: t('upgrade:resume.title', { name: task.name }),
    text: lines([
      failed > 0
        ? t('upgrade:resume.failed', { count: failed, causes: causesText(task) })
        : t('upgrade:resume.noneFailed'),
      t('upgrade:resume.waiting', { count: created }),
      ...waveLines(task),
      ...(failed > 0 ? [t(task.retries.length > 0 ? 'upgrade:resume.planned' : 'upgrade:resume.anew')] : []),
    ]),
    verb: t('upgrade:resume.verb'),
  })
  if (!sure) return
  const done = await runShowingErrors(() => request(resumeTask, { taskId: task.taskId }))
  if (done) void toast('success', t('upgrade:resume.done', { count: done.waiting }))
}
