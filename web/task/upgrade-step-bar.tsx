import { Tooltip, UnstyledButton } from '@mantine/core'
import type { TaskCounts } from '#schema/task/upgrade'
import { number, percent } from '../kit/format.ts'
import { Hint } from '../kit/hint.tsx'
import { t } from '../kit/i18n.ts'
import classes from './upgrade.module.css'
import { segmentText } from './upgrade-chips.tsx'
import { type Segment, type SegmentName, segmentsOf } from './upgrade-segments.ts'

/** In hundredths: growth factors that sum to less than 1, while one shrinks, would leave a gap. */
const share = ({ share: part }: Segment) => ({ '--share': part * 100 })

/** The bar as a sentence: colour is never the only carrier. */
export const barText = (counts: TaskCounts) =>
  segmentsOf(counts)
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${segmentText(name)} ${number(count)}`)
    .join(', ')

/** In the list of tasks: only to look at; the numbers stand in the tooltip and beside it. */
export function ThinStepBar({ counts }: { counts: TaskCounts }) {
  const drawn = segmentsOf(counts).filter(({ count }) => count > 0)
  if (drawn.length === 0) return <div className={classes['empty']} />
  return (
    <Hint label={barText(counts)}>
      <div className={`${classes['bar']} ${classes['thin']}`} role="img" aria-label={barText(counts)}>
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
  chosen: SegmentName | null
  /** The same segment again: all devices. */
  onChoose: (name: SegmentName | null) => void
}

/** Each segment, and each entry of the legend, shows its devices in the table below. */
export function StepBar({ counts, chosen, onChoose }: Props) {
  const segments = segmentsOf(counts)
  const choose = (name: SegmentName) => onChoose(name === chosen ? null : name)
  return (
    <div role="toolbar" aria-label={t('upgrade:bar')}>
      <div className={`${classes['bar']} ${classes['thick']}`}>
        {segments
          .filter(({ count }) => count > 0)
          .map((segment) => (
            <Tooltip
              key={segment.name}
              label={`${segmentText(segment.name)}: ${number(segment.count)} (${percent(segment.share * 100)})`}
            >
              <button
                type="button"
                className={`${classes['segment']} ${classes[segment.name]}`}
                style={share(segment)}
                aria-pressed={segment.name === chosen}
                aria-label={t('upgrade:showSegment', {
                  segment: segmentText(segment.name),
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
              {segmentText(name)}
            </span>
          </UnstyledButton>
        ))}
      </div>
    </div>
  )
}
