/** Pausing and resuming: each says before what it means, and after what it did. */
import { List, Stack, Text } from '@mantine/core'
import type { ReplyOf } from '#schema/kit/call'
import { type getLevelUpDetail, pauseLevelUp, resumeLevelUp } from '#schema/task/upgrade'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { language } from '../kit/session.ts'
import { toast } from '../kit/toast.tsx'
import { told } from './upgrade-control.tsx'
import { cancelMeans } from './upgrade-segments.ts'

type Task = ReplyOf<typeof getLevelUpDetail>

/** Where the devices stand that a pause concerns, a line each. */
export function standingLines({ counts }: Pick<Task, 'counts'>): string[] {
  const { waiting, told: working, locked } = cancelMeans(counts)
  return [
    ...(waiting > 0 ? [t('upgrade:paused.waiting', { count: waiting })] : []),
    ...(working > 0 ? [t('upgrade:paused.working', { count: working })] : []),
    ...(locked > 0 ? [t('upgrade:paused.locked', { count: locked })] : []),
  ]
}

const CAUSES_SHOWN = 3
/** The failures, the most frequent first. */
export const causesText = ({ failures }: Pick<Task, 'failures'>) =>
  failures
    .slice(0, CAUSES_SHOWN)
    .map(({ failure, count }) => `${t(`task:failure.${failure}`)} ×${number(count)}`)
    .join(language() === 'en-US' ? ', ' : '、')

const lines = (texts: readonly string[]) => (
  <List spacing={4} size="sm">
    {texts.map((text) => (
      <List.Item key={text}>{text}</List.Item>
    ))}
  </List>
)

export async function pauseTask(task: Task) {
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
  const done = await told(async () => {
    await request(pauseLevelUp, { taskId: task.taskId })
    return true
  })
  if (done) void toast('success', t('upgrade:pause.done'))
}

export async function resumeTask(task: Task) {
  const { failed, created } = task.counts
  const sure = await ask({
    title: t('upgrade:resume.title', { name: task.name }),
    text: lines([
      failed > 0
        ? t('upgrade:resume.failed', { count: failed, causes: causesText(task) })
        : t('upgrade:resume.noneFailed'),
      t('upgrade:resume.waiting', { count: created }),
      ...(failed > 0 ? [t('upgrade:resume.anew')] : []),
    ]),
    verb: t('upgrade:resume.verb'),
  })
  if (!sure) return
  const done = await told(() => request(resumeLevelUp, { taskId: task.taskId }))
  if (done) void toast('success', t('upgrade:resume.done', { count: done.waiting }))
}
