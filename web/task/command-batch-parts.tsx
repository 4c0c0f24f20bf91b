/** What the question and the result of a command to many devices share: the bar, and who was left out. */
import { Text, UnstyledButton } from '@mantine/core'
import { type CommandState, commandStates } from '#schema/command/command'
import type { BatchCounts, LeftOut } from '#schema/task/command-batch'
import { number } from '../kit/format.ts'
import { Hint } from '../kit/hint.tsx'
import { t } from '../kit/i18n.ts'
import classes from './command-batch.module.css'

const stateText = (state: CommandState) => t(`command:state.${state}`)
/** As a sentence: colour is never the only carrier. */
export const countsText = (counts: BatchCounts) =>
  commandStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${stateText(state)} ${number(counts[state])}`)
    .join(', ')

/** Ends first, so that it fills from the left. */
const drawn: readonly CommandState[] = [
  'done',
  'failed',
  'timedOut',
  'expired',
  'cancelled',
  'accepted',
  'sent',
  'sending',
  'queued',
]

export function BatchBar({ counts }: { counts: BatchCounts }) {
  return (
    <Hint label={countsText(counts)} disabled={counts.total === 0}>
      <div className={classes['bar']} role="img" aria-label={countsText(counts)}>
        {drawn
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <span key={state} className={classes[state]} style={{ '--share': counts[state] }} />
          ))}
      </div>
    </Hint>
  )
}

/** The way of a device, always; how else it may end, when one did. */
const always: readonly CommandState[] = ['queued', 'sent', 'accepted', 'done']

type StatesProps = { counts: BatchCounts; chosen: string; onChoose: (state: string) => void }
export function BatchStates({ counts, chosen, onChoose }: StatesProps) {
  return (
    <div className={classes['states']} role="toolbar" aria-label={t('command:column.state')}>
      {commandStates
        .filter((state) => counts[state] > 0 || always.includes(state))
        .map((state) => (
          <UnstyledButton
            key={state}
            className={classes['state']}
            aria-pressed={state === chosen}
            onClick={() => onChoose(state === chosen ? '' : state)}
          >
            <span className={classes['count']}>{number(counts[state])}</span>
            <span className={classes['label']}>
              <span className={`${classes['swatch']} ${classes[state]}`} aria-hidden />
              {stateText(state)}
            </span>
          </UnstyledButton>
        ))}
    </div>
  )
}

export function LeftOutList({ leftOut }: { leftOut: readonly LeftOut[] }) {
  if (leftOut.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('command-batch:leftOut', {
          count: leftOut.reduce((sum, { count }) => sum + count, 0),
        })}
      </Text>
      <ul className={classes['why']}>
        {leftOut.map(({ reason, count, sample }) => (
          <li key={reason}>
            {t(`command-batch:reason.${reason}`)}: {number(count)}
            {sample.length > 0 ? (
              <Text span size="sm" c="dimmed">
                {` (${sample.join(', ')}${count > sample.length ? ' …' : ''})`}
              </Text>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
