import { Group, Text } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { controlService, deviceServicesPermission } from '#schema/device/commands/service'
import { commandBlockedReason, startCommand } from '../command/commands.ts'
import { ActionIconButton } from '../kit/action-button.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { TimeText } from '../kit/time-text.tsx'
import parts from './device.module.css'
import type { Device } from './device-actions.tsx'
import classes from './device-detail.module.css'
import { DeviceDiagnosis } from './device-diagnosis.tsx'
import { DeviceIo } from './device-io.tsx'
import { NotReported, SectionCard, type Sections, useSections } from './device-section.tsx'

type Service = NonNullable<Sections['services']>['value'][number]
const tones: Record<Service['state'], Tone> = { running: 'online', stopped: 'offline', failed: 'critical' }
const actions = [
  { action: 'start', icon: IconPlayerPlay },
  { action: 'stop', icon: IconPlayerStop },
  { action: 'restart', icon: IconRefresh },
] as const

function ServiceRow({ device, service }: { device: Device; service: Service }) {
  const { name, state, startedAt, autostart } = service
  const why = (action: (typeof actions)[number]['action']) =>
    service.controllable === false
      ? t('detail:service.locked')
      : (commandBlockedReason(device, controlService.name) ??
        (action === 'start' && state === 'running'
          ? t('detail:service.runs')
          : action !== 'start' && state === 'stopped'
            ? t('detail:service.stands')
            : null))
  return (
    <div className={classes['service']}>
      <div style={{ minWidth: 0 }}>
        <Text ff="monospace" fz="sm" truncate>
          {name}
        </Text>
        <div className={classes['age']}>
          {startedAt ? <TimeText text="detail:service.since" at={new Date(startedAt).toISOString()} /> : null}
          {autostart === undefined
            ? null
            : `${startedAt ? ' · ' : ''}${t(autostart ? 'detail:service.autostart' : 'detail:service.byHand')}`}
        </div>
      </div>
      <StatusChip tone={tones[state]} label={t(`detail:serviceState.${state}`)} />
      <Group gap={2} wrap="nowrap">
        {actions.map(({ action, icon }) => (
          <ActionIconButton
            key={action}
            icon={icon}
            label={t(`detail:service.${action}Of`, { name })}
            permission={deviceServicesPermission}
            reason={why(action)}
            danger={action === 'stop'}
            onPress={() => void startCommand(device, controlService.name, { name, action })}
          />
        ))}
      </Group>
    </div>
  )
}

/** [§2] System services, controlled by commands; and network diagnosis by the device. */
export function DeviceServices({ device }: { device: Device }) {
  const sections = useSections(device.deviceId)
  const reported = sections.data?.services
  return (
    <div className={parts['stack']}>
      <ReadBar read={sections} />
      <div className={parts['halves']}>
        <SectionCard title={t('detail:service.title')} at={reported?.at}>
          {reported ? (
            reported.value.map((service) => (
              <ServiceRow key={service.name} device={device} service={service} />
            ))
          ) : sections.data ? (
            <NotReported />
          ) : null}
        </SectionCard>
        <DeviceDiagnosis device={device} />
      </div>
      {sections.data?.io && sections.data.io.value.length > 0 ? (
        <DeviceIo device={device} reported={sections.data.io} />
      ) : null}
    </div>
  )
}
