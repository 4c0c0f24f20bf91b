import { Group, Table } from '@mantine/core'
import { IconPlugConnected, IconTerminal2, IconWorldWww } from '@tabler/icons-react'
import { openTunnel } from '#schema/remote/open-tunnel'
import { remoteOperationPermission } from '#schema/remote/remote-access'
import { commandBlockedReason } from '../command/commands.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { operationPath, terminalPath, webPath } from '../remote/remote-paths.ts'
import parts from './device.module.css'
import type { Device } from './device-actions.tsx'
import { NotReported, SectionCard, useSections } from './device-section.tsx'
import { RemoteConnection } from './remote-connection.tsx'

/** [§2] Remote services reported by the device. */
export function DeviceRemote({ device }: { device: Device }) {
  const { deviceId, deviceSn } = device
  const sections = useSections(deviceId)
  const blocked = commandBlockedReason(device, openTunnel.name)
  const reported = sections.data?.remote
  return (
    <div className={parts['stack']}>
      <ReadBar read={sections} />
      <Group gap={8}>
        <ActionButton
          icon={IconTerminal2}
          label={t('detail:remote.terminal')}
          permission={remoteOperationPermission}
          reason={blocked}
          onPress={() => goTo(terminalPath(deviceId, deviceSn))}
        />
        <ActionButton
          icon={IconWorldWww}
          label={t('detail:remote.web')}
          permission={remoteOperationPermission}
          reason={blocked}
          onPress={() => goTo(webPath(deviceId, deviceSn))}
        />
        <ActionButton
          icon={IconPlugConnected}
          label={t('detail:remote.operation')}
          permission={remoteOperationPermission}
          onPress={() => goTo(operationPath(deviceId, deviceSn))}
        />
      </Group>
      <RemoteConnection deviceId={deviceId} />
      <SectionCard title={t('detail:remote.title')} at={reported?.at}>
        {reported ? (
          <Table fz="sm" verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('detail:remote.service')}</Table.Th>
                <Table.Th>{t('device:column.state')}</Table.Th>
                <Table.Th>{t('detail:remote.address')}</Table.Th>
                <Table.Th ta="right">{t('detail:remote.port')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {reported.value.map(({ name, enabled, connected, address, port }) => (
                <Table.Tr key={`${name} ${port}`}>
                  <Table.Td>{t(`detail:remoteName.${name}`)}</Table.Td>
                  <Table.Td>
                    <StatusChip
                      tone={enabled ? (connected === false ? 'warning' : 'online') : 'offline'}
                      label={
                        enabled && connected !== undefined
                          ? t(connected ? 'detail:remote.connected' : 'detail:remote.notConnected')
                          : t(enabled ? 'detail:on' : 'detail:off')
                      }
                    />
                  </Table.Td>
                  <Table.Td>
                    <Mono value={address} />
                  </Table.Td>
                  <Table.Td ta="right" className="tabular">
                    {port ?? '–'}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ) : sections.data ? (
          <NotReported />
        ) : null}
      </SectionCard>
    </div>
  )
}
