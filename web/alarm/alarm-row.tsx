import { IconCheck, IconClipboardCheck } from '@tabler/icons-react'
import { alarmHandlePermission } from '#schema/alarm/alarm'
import { conditionName } from '#schema/alarm/alarm-text'
import { ActionIconButton } from '../kit/action-button.tsx'
import { duration } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import kit from '../kit/kit.module.css'
import { doerText } from '../kit/known-name.ts'
import { RowCheckbox } from '../kit/light/row-parts.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { useNow, When } from '../kit/time.tsx'
import classes from './alarm.module.css'
import { canAcknowledge } from './alarm-acknowledge.ts'
import {
  AboutLink,
  type AlarmRow,
  AlarmStateChip,
  placeText,
  ruleText,
  seenText,
  Times,
  unknownText,
} from './alarm-chips.tsx'
import { SeverityChip } from './alarm-mark.tsx'

/** The age of a new alarm is shown in seconds. */
const STEP_MS = 10_000

function Since({ row }: { row: AlarmRow }) {
  const now = useNow(STEP_MS)
  const end = row.endedAt ? new Date(row.endedAt).getTime() : now
  return (
    <div className={classes['cell']}>
      <When at={row.lastAt} zone={row.timeZone} absolute />
      <div className={classes['small']}>
        {t('alarm:lasted', {
          duration: duration(Math.max(0, end - new Date(row.startedAt).getTime()) / 1000, 'narrow'),
        })}
      </div>
    </div>
  )
}

const rowId = (id: number) => `alarm-${id}`

/** Moves the focus to a row, for sighted users and screen readers. */
export function focusAlarm(id: number) {
  const row = document.getElementById(rowId(id))
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

type Props = {
  row: AlarmRow & { gone?: boolean; away?: boolean }
  current: boolean
  /** The Tab key enters the list here while no row is current. */
  first: boolean
  selected: boolean
  onSelect: () => void
  onCurrent: () => void
  onAcknowledge: () => void
  onHandle: () => void
}

export function AlarmLine({ row, current, first, selected, ...on }: Props) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click anywhere in the row only makes it current, as J and K do
    <article
      id={rowId(row.id)}
      className={classes['row']}
      // J and K move the focus from alarm to alarm, as in a feed [ARIA feed]
      tabIndex={current || first ? 0 : -1}
      aria-labelledby={`${rowId(row.id)}-about ${rowId(row.id)}-what ${rowId(row.id)}-state`}
      data-current={current || undefined}
      data-selected={selected || undefined}
      data-over={row.endedAt || row.gone ? true : undefined}
      onClick={on.onCurrent}
      onFocus={on.onCurrent}
    >
      <RowCheckbox
        label={t('list:selectRow')}
        checked={selected}
        onChange={on.onSelect}
        onClick={(event) => event.stopPropagation()}
      />
      <span>
        <SeverityChip severity={row.severity} />
      </span>
      <div className={classes['cell']} id={`${rowId(row.id)}-about`}>
        <AboutLink row={row} />
        <div className={`${classes['small']} ${classes['cell']}`}>{placeText(row)}</div>
      </div>
      <div className={`${classes['cell']} ${classes['dim']}`} id={`${rowId(row.id)}-what`}>
        <div className={kit['side']}>
          <span className={kit['ellipsis']}>
            {[conditionName(row, t), seenText(row)].filter(Boolean).join(' · ')}
          </span>
          <Times times={row.times} />
        </div>
        <div className={`${classes['small']} ${classes['cell']}`}>
          {[
            unknownText(row),
            ruleText(row),
            row.incidentGround
              ? t(`alarm:outage.${row.incidentGround}`, { name: row.incidentName ?? '' })
              : null,
            row.note,
          ]
            .filter(Boolean)
            .join(' · ')}
        </div>
      </div>
      <span id={`${rowId(row.id)}-state`}>
        {row.gone || row.away ? (
          <StatusChip tone="offline" label={t('alarm:state.gone')} />
        ) : (
          <AlarmStateChip row={row} />
        )}
      </span>
      <Since row={row} />
      <div className={kit['side']} data-end>
        <ActionIconButton
          label={t('alarm:acknowledge.verb')}
          icon={IconCheck}
          permission={alarmHandlePermission}
          reason={
            row.ackAt
              ? t('alarm:acknowledge.already', { name: doerText(row.ackBy) })
              : canAcknowledge(row)
                ? null
                : t('alarm:acknowledge.cleared')
          }
          onPress={on.onAcknowledge}
        />
        <ActionIconButton
          label={t('alarm:handle.verb')}
          icon={IconClipboardCheck}
          permission={alarmHandlePermission}
          reason={row.handledAt ? t('alarm:handle.already', { name: doerText(row.handledBy) }) : null}
          onPress={on.onHandle}
        />
      </div>
    </article>
  )
}
