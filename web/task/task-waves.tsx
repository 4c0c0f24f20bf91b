import { Group, Text } from '@mantine/core'
import { IconPlayerTrackNext } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import { type getTask, skipWave } from '#schema/task/task-calls'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { Card } from '../kit/card.tsx'
import { ask } from '../kit/confirm.tsx'
import { number, percent } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { toCsv } from '../kit/list/csv.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { sentences } from '../kit/words/sentences.ts'
import { CsvButton } from './csv-button.tsx'
import classes from './task.module.css'
import { runShowingErrors } from './task-control.tsx'
import { controlOf } from './task-kinds.ts'
import { unfinishedOf } from './task-segments.ts'

type Task = ReplyOf<typeof getTask>
type Wave = Task['waves'][number]

const tones: Record<Wave['state'], Tone> = {
  waiting: 'offline',
  running: 'pending',
  reached: 'online',
  skipped: 'offline',
  short: 'critical',
}
/** In the order of progress; the classes are those of the step bar. */
const parts = [
  ['done', 'done'],
  ['soaking', 'downloaded'],
  ['active', 'upgrading'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
  ['waiting', 'created'],
] as const

const sizeText = ({ by, value, groupName }: Wave) =>
  by === 'rest'
    ? t('rollout:wave.rest')
    : by === 'group'
      ? t('rollout:wave.group', { group: groupName ?? String(value) })
      : by === 'count'
        ? t('rollout:wave.count', { count: value ?? 0 })
        : t('rollout:wave.percent', { value: number(value) })

const countsText = (wave: Wave) =>
  t('rollout:wave.counts', {
    done: number(wave.done),
    active: number(wave.active),
    soaking: number(wave.soaking),
    waiting: number(wave.waiting),
    failed: number(wave.failed),
  })

/** A wave that still waits when the task has ended has not begun, and never will. */
function stateText(wave: Wave, { status }: Pick<Task, 'status'>): string {
  const { state } = wave
  const said = t(`rollout:wave.state.${state === 'waiting' && status === 'completed' ? 'never' : state}`)
  const count = unfinishedOf(wave, status)
  return count > 0 ? t('rollout:wave.unfinished', { state: said, count: number(count) }) : said
}

function Lane({ wave, task }: { wave: Wave; task: Task }) {
  const text = countsText(wave)
  return (
    <li className={classes['lane']}>
      <div>
        <Text fw={600}>{t('rollout:wave.nth', { n: number(wave.nth + 1) })}</Text>
        <Text size="sm" c="dimmed">
          {sizeText(wave)}
        </Text>
      </div>
      <div>
        <div className={`${classes['bar']} ${classes['thin']}`} role="img" aria-label={text}>
          {parts.map(([part, segment]) =>
            wave[part] > 0 ? (
              <span
                key={part}
                className={`${classes['segment']} ${classes[segment]}`}
                style={{ ['--share' as string]: (wave[part] / Math.max(1, wave.total)) * 100 }}
              />
            ) : null,
          )}
        </div>
        <Text size="sm" c="dimmed" className="tabular">
          {text}
        </Text>
      </div>
      <div>
        <StatusChip
          tone={unfinishedOf(wave, task.status) > 0 ? 'pending' : tones[wave.state]}
          label={stateText(wave, task)}
        />
        <Text size="sm" c="dimmed">
          <When at={wave.endedAt ?? wave.startedAt} />
        </Text>
      </div>
    </li>
  )
}

const counts = ['total', 'done', 'active', 'soaking', 'waiting', 'failed', 'cancelled'] as const
const headings = {
  total: 'rollout:csv.total',
  done: 'rollout:csv.done',
  active: 'rollout:csv.active',
  soaking: 'rollout:csv.soaking',
  waiting: 'rollout:csv.waiting',
  failed: 'rollout:csv.failed',
  cancelled: 'rollout:csv.cancelled',
} as const

const csvOf = (task: Task) =>
  toCsv(task.waves, [
    { key: 'nth', heading: t('rollout:csv.wave'), text: ({ nth }) => String(nth + 1) },
    { key: 'by', heading: t('rollout:csv.scope'), text: sizeText },
    { key: 'state', heading: t('rollout:csv.state'), text: (wave) => stateText(wave, task) },
    { key: 'startedAt', heading: t('rollout:csv.startedAt') },
    { key: 'endedAt', heading: t('rollout:csv.endedAt') },
    ...counts.map((key) => ({ key, heading: t(headings[key]) })),
  ])

async function begin(task: Task, wave: Wave) {
  const n = number(wave.nth + 1)
  const sure = await ask({
    title: t('rollout:wave.nextTitle', { n }),
    text: sentences([
      t('rollout:wave.nextText', { count: wave.total, devices: number(wave.total) }),
      task.paused ? t('rollout:wave.nextPaused') : null,
    ]),
    verb: t('rollout:wave.next'),
  })
  if (!sure) return
  const done = await runShowingErrors(() => request(skipWave, { taskId: task.taskId, wave: wave.nth }))
  if (done) void toast('success', t(done.paused ? 'rollout:wave.nextWaits' : 'rollout:wave.nextDone', { n }))
}

/** The waves of a task, one lane each; and beginning the next one early. */
export function TaskWaves({ task }: { task: Task }) {
  if (task.waves.length === 0) return null
  const begun = task.waves.some(({ state }) => state !== 'waiting')
  const next =
    task.status === 'ongoing' && begun ? task.waves.find(({ nth }) => nth === task.wave + 1) : undefined
  return (
    <Card
      title={t('rollout:wave.title')}
      side={<CsvButton csv={() => csvOf(task)} name={`task-${task.taskId}-waves.csv`} />}
    >
      <ol className={classes['lanes']}>
        {task.waves.map((wave) => (
          <Lane key={wave.nth} wave={wave} task={task} />
        ))}
      </ol>
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed">
          {t('rollout:wave.success', { percent: percent(task.waveSuccessPercent).replace('%', '') })}
        </Text>
        {next ? (
          <ActionButton
            icon={IconPlayerTrackNext}
            permission={controlOf(task)}
            label={t('rollout:wave.next')}
            onPress={() => void begin(task, next)}
          />
        ) : null}
      </Group>
    </Card>
  )
}
