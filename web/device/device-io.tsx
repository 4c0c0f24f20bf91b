import { Text } from '@mantine/core'
import { IconToggleLeft, IconToggleRight } from '@tabler/icons-react'
import { deviceRelayPermission, setRelay } from '#schema/device/commands/relay'
import { commandBlockedReason, startCommand } from '../command/commands.ts'
import { ActionIconButton } from '../kit/action-button.tsx'
import { t } from '../kit/i18n.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import type { Device } from './device-actions.tsx'
import classes from './device-detail.module.css'
import { SectionCard, type Sections } from './device-section.tsx'

type Io = NonNullable<Sections['io']>

/** Relays and contacts as last read; outputs are switched from here. Devices without any have no card. */
export function DeviceIo({ device, reported }: { device: Device; reported: Io }) {
  return (
    <SectionCard title={t('detail:io.title')} at={reported.at}>
      {reported.value.map(({ name, direction, on }) => (
        <div key={`${direction} ${name}`} className={classes['service']}>
          <div style={{ minWidth: 0 }}>
            <Text fz="sm" truncate>
              {name}
            </Text>
            <div className={classes['age']}>{t(`detail:io.${direction}`)}</div>
          </div>
          <StatusChip tone={on ? 'online' : 'offline'} label={t(on ? 'detail:io.on' : 'detail:io.off')} />
          {direction === 'out' ? (
            <ActionIconButton
              icon={on ? IconToggleRight : IconToggleLeft}
              label={t(on ? 'detail:io.switchOff' : 'detail:io.switchOn', { name })}
              permission={deviceRelayPermission}
              reason={commandBlockedReason(device, setRelay.name)}
              onPress={() => void startCommand(device, setRelay.name, { name, on: !on })}
            />
          ) : (
            <span />
          )}
        </div>
      ))}
    </SectionCard>
  )
}
