import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconDeviceFloppy, IconEdit, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { deleteSavedView, getSavedViewList, modifySavedView, saveView } from '#schema/platform/saved-view'
import { ActionIconButton } from '../action-button.tsx'
import { request } from '../api.ts'
import { Drawer } from '../dialog.tsx'
import { Empty } from '../empty.tsx'
import { FormDrawer } from '../form/form-drawer.tsx'
import type { Field } from '../form/form-model.ts'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import { nameText } from '../known-name.ts'
import { StatusChip } from '../status-chip.tsx'
import { withUndo } from '../undo.tsx'

type View = ReplyOf<typeof getSavedViewList>['list'][number]

const refreshes = [getSavedViewList]
const fields: readonly Field[] = [
  { name: 'name', required: true },
  { name: 'isDefault', hint: 'list:views.defaultHint' },
  { name: 'shared', hint: 'list:views.sharedHint' },
]

const remove = ({ id, list, name, query, shared, isDefault }: View) =>
  void withUndo({
    text: t('list:views.deleted', { name }),
    run: () => request(deleteSavedView, { id }),
    undo: () => request(saveView, { list, name, query, shared, isDefault }),
    refreshes,
  })

const overwrite = ({ id, name, query: before }: View, query: string) =>
  void withUndo({
    text: t('list:views.overwritten', { name }),
    run: () => request(modifySavedView, { id, query }),
    undo: () => request(modifySavedView, { id, query: before }),
    refreshes,
  })

type Props = {
  opened: boolean
  onClose: () => void
  list: string
  /** The current state of the list. */
  query: string
  views: readonly View[]
  onApply: (query: string) => void
}

export function ViewsDrawer({ opened, onClose, list, query, views, onApply }: Props) {
  const [saving, setSaving] = useState(false)
  const [editing, setEditing] = useState<View | null>(null)
  return (
    <>
      <Drawer opened={opened} onClose={onClose} title={t('list:views.label')}>
        <Stack gap="sm">
          <Text c="dimmed">{t('list:views.text')}</Text>
          <Group justify="flex-end">
            <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => setSaving(true)}>
              {t('list:views.save')}
            </Button>
          </Group>
          {views.length === 0 ? <Empty title={t('list:views.none')} /> : null}
          {views.map((view) => (
            <div key={view.id} className={classes['entry']}>
              <UnstyledButton
                style={{ flex: 1, minWidth: 0 }}
                onClick={() => {
                  onApply(view.query)
                  onClose()
                }}
              >
                <Text fw={600} truncate>
                  {view.name}
                </Text>
                <Group gap={6}>
                  {view.isDefault ? <StatusChip tone="online" label={t('list:views.isDefault')} /> : null}
                  {view.shared ? (
                    <StatusChip
                      tone="pending"
                      label={
                        view.mine
                          ? t('list:views.isShared')
                          : t('list:views.by', { name: nameText(view.owner) })
                      }
                    />
                  ) : null}
                </Group>
              </UnstyledButton>
              {view.mine ? (
                <>
                  <ActionIconButton
                    label={t('list:views.overwrite')}
                    icon={IconDeviceFloppy}
                    reason={view.query === query ? t('list:views.same') : null}
                    onPress={() => overwrite(view, query)}
                  />
                  <ActionIconButton
                    label={t('list:views.edit')}
                    icon={IconEdit}
                    onPress={() => setEditing(view)}
                  />
                  <ActionIconButton
                    label={t('list:views.delete')}
                    icon={IconTrash}
                    danger
                    onPress={() => remove(view)}
                  />
                </>
              ) : null}
            </div>
          ))}
        </Stack>
      </Drawer>
      <FormDrawer
        opened={saving}
        onClose={() => setSaving(false)}
        title={t('list:views.save')}
        verb={t('list:views.save')}
        call={saveView}
        fixed={{ list, query }}
        fields={fields}
        refreshes={refreshes}
      />
      <FormDrawer
        key={editing?.id ?? 0}
        opened={editing !== null}
        onClose={() => setEditing(null)}
        title={t('list:views.edit')}
        verb={t('kit:save')}
        call={modifySavedView}
        fixed={{ id: editing?.id ?? 0 }}
        edition={editing?.edition}
        initial={{
          name: editing?.name ?? '',
          isDefault: editing?.isDefault ?? false,
          shared: editing?.shared ?? false,
        }}
        fields={fields}
        refreshes={refreshes}
      />
    </>
  )
}
