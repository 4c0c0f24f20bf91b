import { Button, Group, Text } from '@mantine/core'
import { IconCheck, IconClipboardCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { acknowledgeAlarms, alarmHandlePermission } from '#schema/alarm/alarm'
import { type getAlarmOutages, OUTAGES_TOLD, outageTraits } from '#schema/alarm/alarm-outage'
import { deviceListPermission } from '#schema/device/device-pages'
import type { ReplyOf } from '#schema/kit/call'
import { ActionButton } from '../kit/action-button.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useAction } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import classes from './alarm.module.css'
import { alarmReads } from './alarm-acknowledge.ts'
import { outageTitle } from './alarm-chips.tsx'
import { SeverityChip } from './alarm-mark.tsx'

export type Outage = ReplyOf<typeof getAlarmOutages>['list'][number]

/** Highlights what all lost devices have in common, which hints at the cause. */
function Common({ outage }: { outage: Outage }) {
  return (
    <dl className={classes['common']}>
      {outageTraits.map((trait) => {
        const values = outage.common.filter((one) => one.trait === trait)
        return values.length === 0 ? null : (
          <div key={trait}>
            <dt>{t(`alarm:trait.${trait}`)}</dt>
            {values.map(({ value, away, all }) => (
              <dd key={value} data-shared={away === outage.away || undefined}>
                {t('alarm:outages.ofAll', { value, away: number(away), all: number(all) })}
              </dd>
            ))}
          </div>
        )
      })}
    </dl>
  )
}

type Props = {
  outage: Outage
  /** The list currently shows only its alarms. */
  chosen: boolean
  onShow: () => void
  onHandle: () => void
}

function OutageCard({ outage, chosen, onShow, onHandle }: Props) {
  const { incidentId, groupId, away, total, open, unhandled, lostFrom, lostTo } = outage
  const acknowledge = useAction(acknowledgeAlarms, {
    refreshes: alarmReads,
    success: t('alarm:acknowledge.done'),
  })
  return (
    <article className={classes['outage']} aria-label={outageTitle(outage)}>
      <Group gap="xs">
        <SeverityChip severity={outage.severity} />
        <Text fw={600}>{outageTitle(outage)}</Text>
        <Text size="xs" c="dimmed">
          {[outage.ruleName, outage.customerName].filter(Boolean).join(' · ')}
        </Text>
        <Group gap="xs" ml="auto">
          <Button variant={chosen ? 'light' : 'default'} aria-pressed={chosen} onClick={onShow}>
            {t(chosen ? 'alarm:outages.showAll' : 'alarm:outages.show', { count: away })}
          </Button>
          {groupId !== null && can(deviceListPermission) ? (
            <Button
              variant="default"
              component={Link}
              to={`/device/devicelist?groupId=${groupId}&online=offline`}
            >
              {t('alarm:outages.devices')}
            </Button>
          ) : null}
          <ActionButton
            icon={IconCheck}
            label={t('list:bulkAll', { verb: t('alarm:acknowledge.verb'), count: open })}
            permission={alarmHandlePermission}
            reason={open === 0 ? t('alarm:acknowledge.none') : null}
            onPress={() => acknowledge.start({ incidentId })}
          />
          <ActionButton
            icon={IconClipboardCheck}
            label={t('list:bulkAll', { verb: t('alarm:handle.verb'), count: unhandled })}
            permission={alarmHandlePermission}
            reason={unhandled === 0 ? t('alarm:handle.none') : null}
            onPress={onHandle}
          />
        </Group>
      </Group>
      <Text size="sm" component="div">
        {t('alarm:outages.away', { count: away })}
        {total > away ? ` · ${t('alarm:outages.back', { count: total - away })}` : null}
        {lostFrom && lostTo ? (
          <>
            {' · '}
            {t('alarm:outages.lost')} <When at={lostFrom} absolute />
            {lostFrom === lostTo ? null : (
              <>
                {' – '}
                <When at={lostTo} absolute />
              </>
            )}
          </>
        ) : null}
      </Text>
      <Common outage={outage} />
    </article>
  )
}

type ListProps = {
  outages: readonly Outage[]
  /** '' or the id of the outage whose alarms are listed. */
  chosen: string
  onChoose: (incidentId: string) => void
  onHandle: (outage: Outage) => void
}

/** Shown above the list, which omits their alarms: hundreds of rows of one problem would hide all others. */
export function AlarmOutages({ outages, chosen, onChoose, onHandle }: ListProps) {
  const shown = chosen === '' ? outages : outages.filter((one) => String(one.incidentId) === chosen)
  if (chosen !== '' && shown.length === 0)
    return (
      <div className={classes['outage']}>
        <Group gap="xs">
          {/* If there are more outages, the smallest are not shown, and may be ongoing. */}
          {outages.length < OUTAGES_TOLD ? <Text size="sm">{t('alarm:outages.over')}</Text> : null}
          <Button variant="default" onClick={() => onChoose('')}>
            {t('alarm:outages.showAll')}
          </Button>
        </Group>
      </div>
    )
  return shown.map((outage) => (
    <OutageCard
      key={outage.incidentId}
      outage={outage}
      chosen={chosen !== ''}
      onShow={() => onChoose(chosen === '' ? String(outage.incidentId) : '')}
      onHandle={() => onHandle(outage)}
    />
  ))
}
