import { Tooltip, UnstyledButton } from '@mantine/core'
import type { TaskCounts } from '#schema/task/task-calls'
import { number, percent } from '../kit/format.ts'
import { Hint } from '../kit/hint.tsx'
import { t } from '../kit/i18n.ts'
import classes from './task.module.css'
import { segmentText } from './task-chips.tsx'
import { kindNamed } from './task-kinds.ts'
import { type Segment, type SegmentName, segmentsOf } from './task-segments.ts'

/** In hundredths: flex-grow factors with a sum below 1 would leave a gap. */
const share = ({ share: part }: Segment) => ({ '--share': part * 100 })

/** The bar as a sentence, because colour must not be the only carrier. */
export const barText = (counts: TaskCounts, kind: string) =>
  segmentsOf(counts)
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${segmentText(name, kind)} ${number(count)}`)
    .join(t('kit:comma'))

/** Read-only, in the list of tasks; numbers are in the tooltip and beside it. */
export function ThinStepBar({ counts, kind }: { counts: TaskCounts; kind: string }) {
  const drawn = segmentsOf(counts).filter(({ count }) => count > 0)
  if (drawn.length === 0) return <div className={classes['empty']} />
  return (
    <Hint label={barText(counts, kind)}>
      <div className={`${classes['bar']} ${classes['thin']}`} role="img" aria-label={barText(counts, kind)}>
        {drawn.map((segment) => (
          <span
            key={segment.name}
            className={`${classes['segment']} ${classes[segment.name]}`}
            style={share(segment)}
          />
        ))}
      </div>
    </Hint>
  )
}

type Props = {
  counts: TaskCounts
  kind: string
  chosen: SegmentName | null
  /** null when the same segment is clicked again: all devices. */
  onChoose: (name: SegmentName | null) => void
}

/** Each segment, and each entry of the legend, filters the table below. */
export function StepBar({ counts, kind, chosen, onChoose }: Props) {
  const segments = segmentsOf(counts, kindNamed(kind)?.steps)
  const choose = (name: SegmentName) => onChoose(name === chosen ? null : name)
  return (
    <div role="toolbar" aria-label={t('upgrade:bar')}>
      <div className={`${classes['bar']} ${classes['thick']}`}>
        {segments
          .filter(({ count }) => count > 0)
          .map((segment) => (
            <Tooltip
              key={segment.name}
              label={t('kit:labelled', {
                label: segmentText(segment.name, kind),
                text: `${number(segment.count)} (${percent(segment.share * 100)})`,
              })}
            >
              <button
                type="button"
                className={`${classes['segment']} ${classes[segment.name]}`}
                style={share(segment)}
                aria-pressed={segment.name === chosen}
                aria-label={t('upgrade:showSegment', {
                  segment: segmentText(segment.name, kind),
                  count: segment.count,
                })}
                onClick={() => choose(segment.name)}
              >
                {number(segment.count)}
              </button>
            </Tooltip>
          ))}
      </div>
      <div className={classes['legend']}>
        {segments.map(({ name, count }) => (
          <UnstyledButton
            key={name}
            className={classes['legendItem']}
            data-none={count === 0 || undefined}
            aria-pressed={name === chosen}
            onClick={() => choose(name)}
          >
            <span className={classes['legendCount']}>{number(count)}</span>
            <span className={classes['legendLabel']}>
              <span className={`${classes['swatch']} ${classes[name]}`} aria-hidden />
              {segmentText(name, kind)}
            </span>
          </UnstyledButton>
        ))}
      </div>
    </div>
  )
}
