import { Checkbox, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { configApplyPermission } from '#schema/config/commands/config'
import {
  driftSettlements,
  getConfigDrift,
  getConfigPage,
  getDeviceConfig,
  settleDrift,
} from '#schema/config/device-config'
import { ActionButton } from '../kit/action-button.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { useAction, useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import classes from './config.module.css'

type Props = { opened: boolean; onClose: () => void; deviceId: number }

/** What was changed on the device itself: each difference is adopted, overwritten or ignored. */
export function ConfigDrift({ opened, onClose, deviceId }: Props) {
  const read = useCall(getConfigDrift, { deviceId }, { enabled: opened })
  const [picked, setPicked] = useState<readonly string[]>([])
  const settle = useAction(settleDrift, {
    refreshes: [getConfigDrift, getDeviceConfig, getConfigPage],
    success: t('config:drift.settled'),
    onDone: ({ drift, taskId }) => {
      setPicked([])
      if (drift === 0 || taskId !== null) onClose()
    },
  })
  const changes = read.data?.changes ?? []
  const all = changes.map(({ difference }) => difference)
  // What does not differ any more cannot be settled.
  const chosen = picked.filter((one) => all.includes(one))
  const toggle = (one: string) =>
    setPicked(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one])
  return (
    <Drawer opened={opened} onClose={onClose} title={t('config:drift.title')} size={920}>
      <ReadBar read={read} />
      {read.data || read.error ? null : <Skeleton h={240} />}
      {read.data && all.length === 0 ? <Empty title={t('config:drift.gone')} /> : null}
      {all.length > 0 ? (
        <Stack>
          <Text size="sm">{t('config:drift.text')}</Text>
          {read.data?.desiredAt ? (
            <Text size="sm" c="dimmed">
              {t('config:drift.setAt')} <When at={read.data.desiredAt} />
              {read.data.desiredBy === null ? null : ` · ${nameText(read.data.desiredBy)}`}
            </Text>
          ) : null}
          <Table layout="fixed" className={`${classes['diff']} ${classes['changes']} ${classes['picked']}`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={44}>
                  <Checkbox
                    aria-label={t('config:drift.all')}
                    checked={all.length > 0 && chosen.length === all.length}
                    indeterminate={chosen.length > 0 && chosen.length < all.length}
                    onChange={() => setPicked(chosen.length === all.length ? [] : all)}
                  />
                </Table.Th>
                <Table.Th w="45%">{t('config:drift.place')}</Table.Th>
                <Table.Th>{t('config:drift.desired')}</Table.Th>
                <Table.Th>{t('config:drift.running')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(({ difference, place, kind, before, after }) => (
                <Table.Tr key={difference}>
                  <Table.Td>
                    <Checkbox
                      aria-label={place}
                      checked={chosen.includes(difference)}
                      onChange={() => toggle(difference)}
                    />
                  </Table.Td>
                  <Table.Td>
                    {/* Whole on a phone, too: its last part is the setting. */}
                    <Text span ff="monospace" size="xs">
                      {place}
                    </Text>{' '}
                    {kind === 'moved' ? t('config:drift.moved') : ''}
                  </Table.Td>
                  <Table.Td data-label={t('config:drift.desired')}>{before ?? UNKNOWN}</Table.Td>
                  <Table.Td data-label={t('config:drift.running')} fw={600}>
                    {after ?? UNKNOWN}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Group justify="flex-end" gap="xs">
            {driftSettlements.map((how) => (
              <ActionButton
                key={how}
                label={t(`config:drift.${how}`)}
                permission={configApplyPermission}
                busy={settle.busy}
                reason={chosen.length === 0 ? t('config:drift.none') : null}
                onPress={() => settle.start({ deviceId, differences: [...chosen], how })}
              />
            ))}
          </Group>
        </Stack>
      ) : null}
    </Drawer>
  )
}
