import { Button, Group, Stack, Text } from '@mantine/core'
import { IconEye, IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { edgeCommand } from '#schema/group/edge-command'
import type { GroupRow } from '#schema/group/group'
import { clearGroupRemote, getGroupPassword } from '#schema/group/group-account'
import { groupEditPermission } from '#schema/group/group-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { Empty } from '../kit/empty.tsx'
import { Facts } from '../kit/facts.tsx'
import { CopyField } from '../kit/form/secret-once.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { Mono } from '../kit/mono.tsx'
import { useAction } from '../kit/query.ts'
import { groupDrawer, groupReads } from './group-open.ts'

type Props = { row: GroupRow; opened: boolean; onClose: () => void }

/** The remote account of a group: its settings, its password on request, and how to use it. */
export function GroupRemote({ row, opened, onClose }: Props) {
  const [password, setPassword] = useState<string | null>(null)
  const reveal = useAction(getGroupPassword, { onDone: (reply) => setPassword(reply.password) })
  const account = row.name
  const close = () => {
    setPassword(null)
    onClose()
  }
  const edit = () => {
    close()
    groupDrawer.show({ kind: 'edit', row })
  }
  const clear = async () => {
    const cleared = await deleteRow({
      call: clearGroupRemote,
      body: { gid: row.gid },
      title: t('group:remote.clearTitle', { name: account ?? '' }),
      text: t('group:remote.clearText'),
      done: t('group:remote.cleared'),
      refreshes: groupReads,
    })
    if (cleared) close()
  }
  return (
    <Drawer
      opened={opened}
      onClose={close}
      size={560}
      title={t('group:remote.title', { name: row.groupName })}
    >
      {account === null ? (
        <Empty
          title={t('group:remote.none')}
          text={t('group:remote.noneText')}
          action={
            <ActionButton
              rank="primary"
              label={t('group:remote.set')}
              permission={groupEditPermission}
              onPress={edit}
            />
          }
        />
      ) : (
        <Stack gap="md">
          <Facts
            facts={[
              { label: t('group:column.name'), value: <Mono value={account} /> },
              {
                label: t('group:column.ip'),
                value: row.ip ? <Mono value={`${row.ip}/${row.n2nIfnoMaskbit ?? ''}`} /> : null,
              },
              {
                label: t('group:field.mode'),
                value: t(row.n2nInfoBridge ? 'group:mode.bridged' : 'group:mode.unbridged'),
              },
              { label: t('group:field.loginType'), value: t(`group:loginType.${row.loginType}`) },
              {
                label: t('group:column.remoteLogins'),
                value: t('group:loginsOf', {
                  now: number(row.remoteLogins),
                  max: number(row.loginNum),
                }),
              },
              {
                label: t('group:column.superlink'),
                value: row.superlink ? <Mono value={row.superlink} /> : null,
              },
              { label: t('group:field.version'), value: row.n2nVersion },
            ]}
          />
          {password === null ? (
            <Group>
              <ActionButton
                icon={IconEye}
                label={t('group:remote.reveal')}
                permission={groupEditPermission}
                busy={reveal.busy}
                onPress={() => reveal.start({ gid: row.gid })}
              />
              <Text size="xs" c="dimmed">
                {t('group:remote.revealNote')}
              </Text>
            </Group>
          ) : (
            <>
              <CopyField label={t('group:field.password')} value={password} />
              <CopyField
                block
                label={t('group:remote.command')}
                value={edgeCommand({
                  account,
                  password,
                  bridged: row.n2nInfoBridge,
                  supernode: row.superlink,
                  version: row.n2nVersion,
                })}
              />
            </>
          )}
          <Group justify="flex-end">
            <ActionButton
              rank="danger"
              icon={IconUserMinus}
              label={t('group:remote.clear')}
              permission={groupEditPermission}
              onPress={() => void clear()}
            />
            <Button onClick={edit}>{t('kit:edit')}</Button>
          </Group>
        </Stack>
      )}
    </Drawer>
  )
}
