import { Group, Text } from '@mantine/core'
import type { ReplyOf } from '#schema/kit/call'
import { packageTitle } from '#schema/task/package-title'
import type { getTask } from '#schema/task/task-calls'
import { type Fact, Facts } from '../kit/facts.tsx'
import { bytes, duration, moment, number, percent, shortMoment, weekdayName } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { doerText, nameText } from '../kit/known-name.ts'
import { Mono } from '../kit/mono.tsx'
import { language } from '../kit/session.ts'
import { useNow, When } from '../kit/time.tsx'
import { failureName } from './step-text.ts'
import { kindText } from './task-kinds.ts'
import { endedShare } from './task-segments.ts'

type Task = ReplyOf<typeof getTask>

/** A start this close counts as begun. */
const CLOCKS_DIFFER_S = 2

/** A summary of the run; while it is ongoing, the progress and the time left. */
export function TaskSummary({ task }: { task: Task }) {
  const now = useNow()
  const { counts } = task
  if (task.status === 'completed') {
    const spentS = (Date.parse(task.completedAt ?? task.startAt) - Date.parse(task.startAt)) / 1000
    const parts = [
      task.version === null
        ? t('upgrade:summary.doneCommand', { done: counts.done, count: counts.total })
        : t('upgrade:summary.done', { done: counts.done, count: counts.total, version: task.version }),
      ...(counts.failed > 0 ? [t('upgrade:summary.failed', { count: counts.failed })] : []),
      ...(counts.cancelled > 0 ? [t('upgrade:summary.cancelled', { count: counts.cancelled })] : []),
      t('upgrade:summary.took', { time: duration(spentS) }),
    ]
    return (
      <Text mb="sm" fw={600}>
        {/* English: a sentence each. Chinese: one sentence of short clauses. */}
        {language() === 'en-US' ? parts.join(' ') : `${parts.join('，')}。`}
      </Text>
    )
  }
  const startsInS = (Date.parse(task.startAt) - now) / 1000 - CLOCKS_DIFFER_S
  const leftS = task.estimatedEndAt ? (Date.parse(task.estimatedEndAt) - now) / 1000 : null
  return (
    <Group justify="space-between" mb="sm" gap={8}>
      <Text fw={600} className="tabular" aria-live="polite">
        {startsInS > 0
          ? t('upgrade:summary.startsIn', { time: duration(startsInS) })
          : t('upgrade:summary.progress', {
              percent: percent(Math.floor(endedShare(counts) * 100)),
              ended: counts.done + counts.failed + counts.cancelled,
              count: counts.total,
            })}
      </Text>
      <Text c="dimmed" size="sm" className="tabular">
        {startsInS > 0 || task.ratePerHour === null || task.paused
          ? null
          : `${t('upgrade:summary.rate', { count: task.ratePerHour, rate: number(task.ratePerHour) })} · `}
        {startsInS > 0
          ? null
          : leftS === null
            ? t(`upgrade:noEstimate.${task.noEstimate ?? 'tooEarly'}`, { count: task.waitingOffline })
            : [
                t('upgrade:summary.estimate', {
                  time: shortMoment(new Date(now + leftS * 1000), now),
                  left: duration(Math.max(60, Math.round(leftS / 60) * 60)),
                }),
                ...(task.waitingOffline > 0
                  ? [t('upgrade:summary.withoutOffline', { count: task.waitingOffline })]
                  : []),
              ].join(language() === 'en-US' ? ', ' : '，')}
      </Text>
    </Group>
  )
}

/** The limits in one line: "5 failed, or 10% of those tried failed". */
function guardText({ maxFailures, maxFailurePercent }: Task): string {
  const [a, b] = [
    ...(maxFailures === null ? [] : [t('upgrade:guard.byCount', { count: number(maxFailures) })]),
    ...(maxFailurePercent === null
      ? []
      : [t('upgrade:guard.byPercent', { percent: percent(maxFailurePercent) })]),
  ]
  if (a === undefined) return t('upgrade:guard.none')
  return b === undefined ? a : t('upgrade:guard.or', { a, b })
}

const fileFacts = (task: Task): Fact[] => [
  ...(task.type === 'config'
    ? [{ label: t('package:type.config'), value: task.packageName }]
    : [
        { label: t('upgrade:field.package'), value: packageTitle(task.packageName ?? '', task.version) },
        { label: t('upgrade:field.model'), value: task.model },
        { label: t('upgrade:field.type'), value: task.type ? t(`package:type.${task.type}`) : null },
      ]),
  { label: t('upgrade:field.size'), value: task.sizeBytes === null ? null : bytes(task.sizeBytes) },
  { label: t('upgrade:field.sha256'), value: <Mono value={task.sha256} /> },
  ...(task.type === 'config'
    ? []
    : [
        {
          label: t('upgrade:field.keepConfig'),
          value: t(task.keepConfig ? 'upgrade:keepConfig.yes' : 'upgrade:keepConfig.no'),
        },
      ]),
  {
    label: t('upgrade:field.wait'),
    value: task.waitOfflineMinutes === 0 ? t('upgrade:noWait') : duration(task.waitOfflineMinutes * 60),
  },
  { label: t('upgrade:field.server'), value: task.server ?? t('upgrade:platform') },
]

const commandFacts = (task: Task): Fact[] => [
  { label: t('upgrade:field.command'), value: tOr(`command:name.${task.command}`, task.command ?? '') },
  // The time until its approval is given back.
  ...(task.expiresAt === null || task.approval === 'waiting'
    ? []
    : [{ label: t('command-many:expiresAt'), value: <When at={task.expiresAt} absolute /> }]),
]

const rolloutFacts = ({ soakMinutes, window, unmetered, retries, kind }: Task): Fact[] => [
  ...(soakMinutes === null
    ? []
    : [
        {
          label: t('rollout:field.soak'),
          value: t('rollout:soak.minutes', { minutes: number(soakMinutes) }),
        },
      ]),
  ...(window
    ? [
        {
          label: t('rollout:field.window'),
          value: [
            t('rollout:window.text', { from: window.from, to: window.to }),
            ...(window.weekdays ?? []).map((day) => weekdayName(day, 'short')),
          ].join(' '),
        },
      ]
    : []),
  ...(unmetered ? [{ label: t('rollout:field.uplink'), value: t('rollout:field.unmetered') }] : []),
  ...(retries.length === 0
    ? []
    : [
        {
          label: t('rollout:field.retries'),
          value: retries
            .map(({ failure, times }) => `${failureName(failure, kind)} ×${number(times)}`)
            .join(t('kit:comma')),
        },
      ]),
]

const joinFacts = ({ joins, joinUntil, status }: Task): Fact[] =>
  joins && joinUntil && status === 'ongoing'
    ? [
        {
          label: t('rollout:field.joinUntil'),
          value: t('rollout:join.text', {
            filter:
              [joins.groupName, joins.model, joins.firmware].filter(Boolean).join(t('kit:comma')) ||
              t('rollout:join.all'),
            time: moment(joinUntil),
          }),
        },
      ]
    : []

const approvalFacts = ({ approval, approvedBy, approvalAt }: Task): Fact[] =>
  approval === 'approved' || approval === 'refused'
    ? [
        {
          label: t('rollout:approval.by'),
          value: t(`rollout:approval.${approval}By`, {
            by: doerText(approvedBy),
            time: approvalAt ? moment(approvalAt) : '',
          }),
        },
      ]
    : []

export function TaskFacts({ task }: { task: Task }) {
  return (
    <Facts
      width={150}
      facts={[
        { label: t('upgrade:field.kind'), value: kindText(task.kind) },
        ...(task.command === null ? fileFacts(task) : commandFacts(task)),
        ...approvalFacts(task),
        ...rolloutFacts(task),
        ...joinFacts(task),
        { label: t('upgrade:field.createdBy'), value: nameText(task.createdBy) },
        { label: t('upgrade:field.startAt'), value: <When at={task.startAt} absolute /> },
        { label: t('upgrade:field.updatedAt'), value: <When at={task.updatedAt} absolute /> },
        ...(task.completedAt
          ? [{ label: t('upgrade:field.completedAt'), value: <When at={task.completedAt} absolute /> }]
          : []),
        ...(task.matching === null
          ? []
          : [{ label: t('command-many:matching'), value: number(task.matching) }]),
        { label: t('upgrade:field.guard'), value: guardText(task) },
        { label: t('upgrade:field.inFlight'), value: number(task.maxInFlight) },
        ...(task.maxPerSecond === null
          ? []
          : [{ label: t('command-many:pace.perSecond'), value: number(task.maxPerSecond) }]),
        ...(task.groupShare === null
          ? []
          : [
              {
                label: t('command-many:pace.share'),
                value: t('command-many:pace.ofGroup', { percent: percent(task.groupShare * 100) }),
              },
            ]),
      ]}
    />
  )
}
