/** What the names of a source are mapped to, and which are unmapped. */
import { Group, Stack, Text } from '@mantine/core'
import { IconLink, IconTemplate, IconUnlink } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { getSouthNames, linkSouth, southEditPermission, unlinkSouth } from '#schema/monitor/south'
import { addVariable } from '#schema/monitor/variable'
import { templateEditPermission } from '#schema/monitor/variable-pages'
import { ActionIconButton } from '../kit/action-button.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useAction, useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { foundTerminalsOf } from './place-filters.ts'
import { RowsTable } from './rows-table.tsx'
import type { SouthAccount } from './south-fields.ts'

type Names = ReplyOf<typeof getSouthNames>
type Name = Names['names'][number]
type Props = { account: SouthAccount; opened: boolean; onClose: () => void }

const REFRESH_S = 5
const NUMBER = /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i

/** A first guess by its last value; it can be changed like every variable. */
const guessed = (value: string | null) =>
  value === 'true' || value === 'false'
    ? { dataType: 'bool' as const, functionType: 'state' as const }
    : value === null || NUMBER.test(value)
      ? { dataType: 'float64' as const, precision: 3 }
      : { dataType: 'text' as const, length: 32 }

export function SouthNames({ account, opened, onClose }: Props) {
  const found = useCall(getSouthNames, { id: account.id }, { enabled: opened, refreshS: REFRESH_S })
  const [linking, setLinking] = useState<string | null>(null)
  const unlink = useAction(unlinkSouth, {
    refreshes: [getSouthNames],
    onDone: (_, { source }) => void toast('success', t('south:names.unlinkedDone', { source })),
  })
  const add = useAction(addVariable, {
    refreshes: [getSouthNames],
    onDone: (_, { name }) => void toast('success', t('south:names.addedDone', { name })),
  })
  const links = found.data?.links ?? []
  const templateOf = (source: string) => links.find((link) => link.source === source)?.templateId
  const adopt = ({ source, name, value }: Name) => {
    const templateId = templateOf(source)
    if (templateId === undefined) return
    add.start({
      templateId,
      name: name.slice(-64),
      unit: '-',
      ioController: 'source',
      byteOrder: 'template',
      reportType: 'both',
      ...guessed(value),
    })
  }
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('south:names.title', { name: account.name })}
      size={720}
    >
      <Stack>
        <Text c="dimmed">{t('south:names.text')}</Text>
        <ReadBar read={found} />
        <Text fw={600}>{t('south:names.linked')}</Text>
        {links.length === 0 ? <Text c="dimmed">{t('south:names.noneLinked')}</Text> : null}
        {links.length > 0 ? (
          <RowsTable
            heads={[t('south:names.source'), t('south:field.terminal'), '']}
            rows={links.map(({ source, terminalName, deviceName }) => ({
              key: source,
              cells: [
                source,
                `${terminalName} · ${deviceName}`,
                <ActionIconButton
                  key="unlink"
                  label={t('south:names.unlink')}
                  icon={IconUnlink}
                  permission={southEditPermission}
                  onPress={() => unlink.start({ id: account.id, source })}
                />,
              ],
            }))}
          />
        ) : null}
        <Text fw={600}>{t('south:names.unmapped')}</Text>
        {found.data?.names.length === 0 ? <Text c="dimmed">{t('south:names.none')}</Text> : null}
        {(found.data?.names.length ?? 0) > 0 ? (
          <RowsTable
            heads={[
              t('south:names.source'),
              t('south:names.variable'),
              t('south:tester.value'),
              t('south:field.messageAt'),
              '',
            ]}
            numbers={[t('south:tester.value')]}
            rows={(found.data?.names ?? []).map((one) => ({
              key: `${one.source}\n${one.name}`,
              cells: [
                one.source,
                one.name,
                one.value ?? UNKNOWN,
                <When key="at" at={one.at} />,
                <Group key="do" gap={4} wrap="nowrap">
                  <ActionIconButton
                    label={t('south:names.link')}
                    icon={IconLink}
                    permission={southEditPermission}
                    onPress={() => setLinking(one.source)}
                  />
                  <ActionIconButton
                    label={t('south:names.add')}
                    icon={IconTemplate}
                    permission={templateEditPermission}
                    reason={templateOf(one.source) === undefined ? t('south:names.noTerminal') : null}
                    onPress={() => adopt(one)}
                  />
                </Group>,
              ],
            }))}
          />
        ) : null}
      </Stack>
      {linking === null ? null : (
        <FormDrawer
          opened
          onClose={() => setLinking(null)}
          title={t('south:names.linkTitle', { source: linking })}
          verb={t('south:names.link')}
          call={linkSouth}
          fixed={{ id: account.id, source: linking }}
          refreshes={[getSouthNames]}
          success={t('south:names.linkedDone', { source: linking })}
          fields={[
            {
              name: 'terminalId',
              required: true,
              hint: 'south:names.linkHint',
              useFound: foundTerminalsOf(account.projectId),
            },
          ]}
        />
      )}
    </Drawer>
  )
}
