/** A decision of the timeline as a sentence. */
import type { RowOf } from '#schema/kit/list'
import type { getTaskDecisions } from '#schema/task/task-decision'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'

type Decision = Pick<RowOf<typeof getTaskDecisions>, 'what' | 'facts'>

/** The task that a decision has made; null: none. */
export const madeTask = ({ what, facts }: Decision): number | null =>
  what === 'rolledBack' ? Number(facts['task']) : null

export function decisionText({ what, facts }: Decision): string {
  const counted = (name: string) => Number(facts[name] ?? 0)
  const n = (name: string) => number(counted(name))
  const devices = { count: counted('devices'), devices: n('devices') }
  const text = (name: string) => String(facts[name] ?? '')
  switch (what) {
    case 'created':
    case 'retried':
    case 'joined':
    case 'cancelled':
    case 'retriesCancelled':
      return t(`rollout:decision.${what}`, devices)
    case 'refused':
      return facts['note']
        ? t('rollout:decision.refusedFor', { note: text('note') })
        : t('rollout:decision.refused')
    case 'paused':
      return facts['reason'] === 'failures'
        ? t('rollout:decision.paused.failures', {
            count: counted('tried'),
            failed: n('failed'),
            tried: n('tried'),
          })
        : facts['reason'] === 'wave'
          ? t('rollout:decision.paused.wave')
          : facts['reason'] === 'sender'
            ? t('rollout:decision.paused.sender')
            : t('rollout:decision.paused.person')
    case 'waveStarted':
    case 'waveSkipped':
      return t(`rollout:decision.${what}`, { wave: n('wave') })
    case 'waveReached':
      return t('rollout:decision.waveReached', {
        wave: n('wave'),
        done: n('done'),
        failed: n('failed'),
        unreached: n('unreached'),
      })
    case 'waveShort':
      if (!facts['done'] && !facts['failed']) return t('rollout:decision.waveNone', { wave: n('wave') })
      return t('rollout:decision.waveShort', {
        wave: n('wave'),
        percent: n('percent'),
        done: n('done'),
        failed: n('failed'),
      })
    case 'rolledBack':
      return t('rollout:decision.rolledBack', { ...devices, version: text('version') })
    case 'resumed':
      return t('rollout:decision.resumed', { count: counted('waiting'), devices: n('waiting') })
    case 'completed':
      return t('rollout:decision.completed', {
        done: n('done'),
        failed: n('failed'),
        cancelled: n('cancelled'),
      })
    default:
      return t(`rollout:decision.${what}`)
  }
}
