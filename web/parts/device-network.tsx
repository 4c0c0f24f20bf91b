import { Table, Text } from '@mantine/core'
import { Card } from '../kit/card.tsx'
import { Facts } from '../kit/facts.tsx'
import { bytes, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import type { Device } from './device-actions.tsx'
import classes from './parts.module.css'

const DEGREES = 6

export function DeviceNetwork({ device }: { device: Device }) {
  return (
    <div className={classes['stack']}>
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
                  <Table.Th>{t('device:column.online')}</Table.Th>
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
      <div className={classes['halves']}>
        <Card title={t('device:network.mobile')}>
          <Facts
            facts={[
              { label: t('device:network.operator'), value: device.operator },
              { label: t('device:column.networkMode'), value: device.networkMode },
              { label: t('device:column.signalDbm'), value: number(device.signalDbm) },
              { label: 'IMEI', value: <Mono value={device.imei} /> },
              { label: 'IMSI', value: <Mono value={device.imsi} /> },
              { label: 'ICCID', value: <Mono value={device.iccid} /> },
              { label: 'MAC', value: <Mono value={device.mac} /> },
              { label: t('device:column.ip'), value: <Mono value={device.ip} /> },
            ]}
          />
        </Card>
        <Card title={t('device:network.position')}>
          <Facts
            facts={[
              { label: t('device:network.longitude'), value: number(device.longitude, DEGREES) },
              { label: t('device:network.latitude'), value: number(device.latitude, DEGREES) },
              {
                label: t('device:network.source'),
                value: device.positionSource ? t(`device:network.${device.positionSource}`) : null,
              },
              { label: t('device:column.address'), value: device.address },
            ]}
          />
        </Card>
      </div>
    </div>
  )
}
