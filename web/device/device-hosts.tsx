import { Table, Text } from '@mantine/core'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { When } from '../kit/time.tsx'
import { NotReported, SectionCard, type Sections } from './device-section.tsx'

const iso = (ms: number | undefined) => (ms ? new Date(ms).toISOString() : null)

/** [§2] Hanging devices: hosts on the LAN now. */
export function DeviceHosts({ reported }: { reported: Sections['hosts'] }) {
  return (
    <SectionCard
      title={reported ? t('detail:hosts.count', { count: reported.value.length }) : t('detail:hosts.title')}
      at={reported?.at}
    >
      {reported === null ? (
        <NotReported />
      ) : reported.value.length === 0 ? (
        <Text c="dimmed">{t('detail:hosts.none')}</Text>
      ) : (
        <Table.ScrollContainer minWidth={620} maxHeight={420}>
          <Table fz="sm" verticalSpacing={6} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('device:column.deviceName')}</Table.Th>
                <Table.Th>{t('device:column.ip')}</Table.Th>
                <Table.Th>MAC</Table.Th>
                <Table.Th>{t('detail:hosts.via')}</Table.Th>
                <Table.Th ta="right">{t('device:column.signalDbm')}</Table.Th>
                <Table.Th>{t('detail:hosts.since')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {reported.value.map((host) => (
                <Table.Tr key={`${host.mac} ${host.ip}`}>
                  <Table.Td>{host.name ?? '–'}</Table.Td>
                  <Table.Td>
                    <Mono value={host.ip} />
                  </Table.Td>
                  <Table.Td>
                    <Mono value={host.mac} />
                  </Table.Td>
                  <Table.Td>{host.via ? t(`detail:via.${host.via}`) : '–'}</Table.Td>
                  <Table.Td ta="right">{number(host.signalDbm)}</Table.Td>
                  <Table.Td>
                    <When at={iso(host.since)} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </SectionCard>
  )
}
