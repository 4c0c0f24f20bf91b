import { Table } from '@mantine/core'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import parts from './device.module.css'
import type { Device } from './device-actions.tsx'
import { SectionCard, Untold, useSections } from './device-section.tsx'

/** [§2] Remote services reported by the device. */
export function DeviceRemote({ device }: { device: Device }) {
  const sections = useSections(device.deviceId)
  const told = sections.data?.remote
  return (
    <div className={parts['stack']}>
      <ReadBar read={sections} />
      <SectionCard title={t('detail:remote.title')} at={told?.at}>
        {told ? (
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
              {told.value.map(({ name, enabled, connected, address, port }) => (
                <Table.Tr key={`${name} ${port}`}>
                  <Table.Td>{t(`detail:remoteName.${name}`)}</Table.Td>
                  <Table.Td>
                    <StatusChip
                      tone={enabled ? (connected === false ? 'warning' : 'online') : 'offline'}
                      label={
                        enabled && connected === false
                          ? t('detail:remote.notConnected')
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
          <Untold />
        ) : null}
      </SectionCard>
    </div>
  )
}
