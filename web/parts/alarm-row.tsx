import { Checkbox, Group, Text } from '@mantine/core'
import { IconCheck, IconClipboardCheck } from '@tabler/icons-react'
import { functions } from '#schema/functions'
import { ActionIconButton } from '../kit/action-button.tsx'
import { duration } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { useNow, When } from '../kit/time.tsx'
import classes from './alarm.module.css'
import {
  AboutLink,
  type AlarmRow,
  AlarmStateChip,
  placeText,
  ruleText,
  SeverityChip,
  seenText,
  Times,
} from './alarm-chips.tsx'

const MINUTE_MS = 60_000

function Since({ row }: { row: AlarmRow }) {
  const now = useNow(MINUTE_MS)
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

type Props = {
  row: AlarmRow & { gone?: boolean }
  current: boolean
  selected: boolean
  onSelect: () => void
  onCurrent: () => void
  onAcknowledge: () => void
  onHandle: () => void
}

export function AlarmLine({ row, current, selected, ...on }: Props) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys J and K do the same for the whole list
    // biome-ignore lint/a11y/noStaticElementInteractions: a click anywhere in the row only moves the mark
    <div
      id={`alarm-${row.id}`}
      className={classes['row']}
      data-current={current || undefined}
      data-selected={selected || undefined}
      data-over={row.endedAt || row.gone ? true : undefined}
      onClick={on.onCurrent}
    >
      <Checkbox
        size="xs"
        aria-label={t('kit:list.selectRow')}
        checked={selected}
        onChange={on.onSelect}
        onClick={(event) => event.stopPropagation()}
      />
      <span>
        <SeverityChip severity={row.severity} />
      </span>
      <div className={classes['cell']}>
        <AboutLink row={row} />
        <div className={`${classes['small']} ${classes['cell']}`}>{placeText(row)}</div>
      </div>
      <div className={`${classes['cell']} ${classes['dim']}`}>
        <Group gap={6} wrap="nowrap">
          <Text span size="sm" truncate>
            {[t(`alarm:kind.${row.kind}`), seenText(row)].filter(Boolean).join(' · ')}
          </Text>
          <Times times={row.times} />
        </Group>
        <div className={`${classes['small']} ${classes['cell']}`}>
          {[
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
      <span>
        {row.gone ? (
          <StatusChip tone="offline" label={t('alarm:state.gone')} />
        ) : (
          <AlarmStateChip row={row} />
        )}
      </span>
      <Since row={row} />
      <Group gap={2} wrap="nowrap" justify="flex-end">
        <ActionIconButton
          label={t('alarm:acknowledge.verb')}
          icon={IconCheck}
          functionId={functions.alarmHandle}
          reason={row.ackAt ? t('alarm:acknowledge.already', { name: row.ackBy ?? '' }) : null}
          onPress={on.onAcknowledge}
        />
        <ActionIconButton
          label={t('alarm:handle.verb')}
          icon={IconClipboardCheck}
          functionId={functions.alarmHandle}
          reason={row.handledAt ? t('alarm:handle.already', { name: row.handledBy ?? '' }) : null}
          onPress={on.onHandle}
        />
      </Group>
    </div>
  )
}
