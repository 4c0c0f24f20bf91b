import { Table, Text } from '@mantine/core'
import { Card } from '../kit/card.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import type { Device } from './device-actions.tsx'

/** The network interfaces of the last status message. */
export function DeviceInterfaces({ device }: { device: Device }) {
  return (
    <Card
      title={t('device:network.interfaces')}
      side={
        <Text fz="xs" c="dimmed" fw={400}>
          <When at={device.statusAt} />
        </Text>
      }
    >
      {device.interfaces?.length ? (
        <Table.ScrollContainer minWidth={560}>
          <Table fz="sm" verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('device:network.name')}</Table.Th>
                <Table.Th>{t('device:column.state')}</Table.Th>
                <Table.Th>{t('device:column.ip')}</Table.Th>
                <Table.Th>MAC</Table.Th>
                <Table.Th ta="right">{t('device:traffic.received')}</Table.Th>
                <Table.Th ta="right">{t('device:traffic.sent')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {device.interfaces.map((one) => (
                <Table.Tr key={one.name}>
                  <Table.Td ff="monospace">{one.name}</Table.Td>
                  <Table.Td>
                    <StatusChip
                      tone={one.up ? 'online' : 'offline'}
                      label={t(one.up ? 'device:network.up' : 'device:network.down')}
                    />
                  </Table.Td>
                  <Table.Td>
                    <Mono value={one.ip} />
                  </Table.Td>
                  <Table.Td>
                    <Mono value={one.mac} />
                  </Table.Td>
                  <Table.Td ta="right">{bytes(one.rxBytes)}</Table.Td>
                  <Table.Td ta="right">{bytes(one.txBytes)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : (
        <Text c="dimmed">{t('device:network.none')}</Text>
      )}
    </Card>
  )
}
