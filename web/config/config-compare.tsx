import { Alert, Group, Stack, Table, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { compareConfigs } from '#schema/config/compare-configs'
import { configTemplateEditPermission, followTemplates } from '#schema/config/config-template'
import { useDeviceFound } from '../device/device-find.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { loadWords, t } from '../kit/i18n.ts'
import { FindField } from '../kit/list/find-field.tsx'
import { useAction, useCall } from '../kit/query.ts'
import classes from './config.module.css'
import { pageWords } from './config-pages.ts'
import { fieldLabel, PageField } from './page-field.tsx'

// Before the first page is drawn; this module is loaded when the drawer is opened.
await loadWords([...pageWords, 'config', 'config-compare'])

export type Compared = { deviceId: number; deviceName: string }
type Props = { opened: boolean; onClose: () => void; device: Compared }

const TEMPLATES = 'templates'

/** Compares a device with its templates or another device: shows only differences. */
export function ConfigCompare({ opened, onClose, device }: Props) {
  const { deviceId, deviceName } = device
  const [chosen, setChosen] = useState(TEMPLATES)
  const templates = { value: TEMPLATES, label: t('config-compare:templates') }
  const useOffered = (search: string) => {
    const others = useDeviceFound(search).filter(({ value }) => value !== String(deviceId))
    return search === '' ? [templates, ...others] : others
  }
  const read = useCall(compareConfigs, {
    deviceId,
    ...(chosen === TEMPLATES ? {} : { withId: Number(chosen) }),
  })
  const follow = useAction(followTemplates, {
    refreshes: [compareConfigs],
    success: t('config-compare:followed'),
  })
  const found = read.data
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('config-compare:title', { name: deviceName })}
      size={920}
    >
      <Stack>
        <FindField
          label={t('config-compare:with')}
          useFound={useOffered}
          known={templates}
          clearable={false}
          value={chosen}
          onChange={(next) => setChosen(next === null ? TEMPLATES : String(next))}
        />
        <ReadBar read={read} />
        {found?.fault ? (
          <Alert color="red" icon={<IconAlertTriangle size={18} stroke={1.5} />}>
            {found.fault}
          </Alert>
        ) : null}
        {found && found.fields.length === 0 ? (
          found.isSet ? (
            <Empty title={t('config-compare:none')} text={t('config-compare:noneText')} />
          ) : (
            <Empty title={t('config-compare:unset')} text={t('config-compare:unsetText')} />
          )
        ) : null}
        {found && found.fields.length > 0 ? (
          <Table layout="fixed" className={classes['diff']}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('config-compare:setting')}</Table.Th>
                <Table.Th>{deviceName}</Table.Th>
                <Table.Th>
                  {chosen === TEMPLATES ? t('config-compare:templates') : t('config-compare:other')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.fields.map(({ page, name, own, other, template, isOwn }) => (
                <Table.Tr key={`${page} ${name}`}>
                  <Table.Td>{fieldLabel(page, name)}</Table.Td>
                  <Table.Td>
                    <PageField page={page} field={name} value={own} beside={other} />
                  </Table.Td>
                  <Table.Td>
                    <PageField page={page} field={name} value={other} beside={own} />
                    {template === null ? null : (
                      <Text size="xs" c="dimmed">
                        {template}
                      </Text>
                    )}
                    {isOwn ? (
                      <Group gap="xs">
                        <Text size="xs">{t('config-compare:own')}</Text>
                        <ActionButton
                          label={t('config-compare:follow')}
                          permission={configTemplateEditPermission}
                          busy={follow.busy}
                          onPress={() => follow.start({ deviceId, page, fields: [name] })}
                        />
                      </Group>
                    ) : null}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ) : null}
      </Stack>
    </Drawer>
  )
}
