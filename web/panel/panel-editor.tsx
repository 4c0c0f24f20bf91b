/** A panel being edited: nothing is stored before Save, and nothing is lost if another user has saved meanwhile. */
import { Button, Menu, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { IconArrowBackUp, IconArrowForwardUp, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import type { EditConflict } from '#schema/kit/edition'
import { getPanel, getPanelList, panelEditPermission, savePanel } from '#schema/monitor/panel'
import { inReading, WIDGETS_MAX, type WidgetKind, widgetKinds } from '#schema/monitor/panel-layout'
import { ActionButton, ActionIconButton } from '../kit/action-button.tsx'
import { ApiError, NO_PERMISSION } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { Empty } from '../kit/empty.tsx'
import { ConflictNote } from '../kit/form/conflict-note.tsx'
import { conflictOf } from '../kit/form/edit-conflict.ts'
import { useUnsaved } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import { useNarrow } from '../kit/narrow.ts'
import { usePage } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { queryClient, reportError, useAction } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import { useLiveValues } from '../monitor/live-values.ts'
import {
  added,
  changed,
  copied,
  draftOf,
  movedTo,
  redone,
  undone,
  type Widget,
  without,
  withWidget,
} from './panel-draft.ts'
import { PanelEditGrid } from './panel-grid.tsx'
import { titleOf } from './panel-reading.tsx'
import { PanelSettings } from './panel-settings.tsx'
import { usePanelValues } from './panel-values.ts'
import { PanelWidget } from './panel-widget.tsx'

const NAMED_IN_CONFLICT = 8

const theirsOf = ({ now }: EditConflict) => (now['widgets'] ?? []) as readonly Widget[]

type Panel = ReplyOf<typeof getPanel>

export function PanelEditor({ panel, onEnd }: { panel: Panel; onEnd: () => void }) {
  const [began, setBegan] = useState({ widgets: panel.widgets as readonly Widget[], edition: panel.edition })
  const [draft, setDraft] = useState(() => draftOf(panel.widgets))
  const [opened, setOpened] = useState<string | null>(null)
  const [conflict, setConflict] = useState<EditConflict | null>(null)
  const { active } = usePage()
  const narrow = useNarrow()
  useLiveValues()
  const widgets = draft.now
  const { values } = usePanelValues(panel.projectId, widgets)
  const dirty = JSON.stringify(widgets) !== JSON.stringify(began.widgets)
  const settle = useUnsaved('panel', dirty)
  const put = (list: readonly Widget[], mark?: string) => setDraft((before) => changed(before, list, mark))
  const action = useAction(savePanel, {
    quiet: true,
    refreshes: [getPanelList],
    success: t('panel:saved'),
  })
  /** Until what was saved is shown, too. */
  const [saving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      await action.run({ id: panel.id, widgets: inReading(widgets), edition: began.edition })
      settle()
      // Before it is shown: otherwise the previous state would flash briefly.
      await queryClient.invalidateQueries({ queryKey: [getPanel.name] })
      onEnd()
    } catch (error) {
      const other = conflictOf(error)
      if (other) setConflict(other)
      else reportError(error)
      // Another user may have deleted it: the page then says so in place of the editor.
      if (error instanceof ApiError && error.code === NO_PERMISSION)
        void queryClient.invalidateQueries({ queryKey: [getPanel.name] })
    } finally {
      setSaving(false)
    }
  }
  const leave = async () => {
    const sure =
      !dirty ||
      (await ask({
        title: t('form:discardTitle'),
        text: t('panel:discard'),
        verb: t('form:discard'),
        danger: true,
      }))
    if (!sure) return
    settle()
    onEnd()
  }
  const add = (kind: WidgetKind) => {
    const next = widgets.length < WIDGETS_MAX ? added(widgets, kind) : null
    if (!next) return void toast('warning', t('panel:full', { max: WIDGETS_MAX }))
    put(next.list)
    setOpened(next.key)
  }
  useWindowEvent('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (!active || isTyping || saving || !(event.ctrlKey || event.metaKey)) return
    const key = event.key.toLowerCase()
    const turn = key === 'y' || (key === 'z' && event.shiftKey) ? redone : key === 'z' ? undone : null
    if (!turn) return
    event.preventDefault()
    setDraft(turn)
  })
  const goOn = (other: EditConflict, list: readonly Widget[]) => {
    setBegan({ widgets: theirsOf(other), edition: other.edition })
    put(list)
    setConflict(null)
  }
  /** As many as are needed to distinguish two versions. */
  const namesOf = (list: readonly Widget[]) => {
    const names = list.slice(0, NAMED_IN_CONFLICT).map((one) => titleOf(one, values))
    const more = list.length > names.length ? ' …' : ''
    return list.length === 0
      ? 0
      : t('panel:named', { n: list.length, names: `${names.join(t('kit:comma'))}${more}` })
  }
  const shown = widgets.find(({ key }) => key === opened)
  return (
    <>
      <PageHeader
        title={panel.name}
        line={panel.projectName}
        actions={
          <>
            {/* What was changed while it is saved would be lost with the end of the editor. */}
            <div style={{ display: 'contents' }} inert={saving}>
              <ActionIconButton
                icon={IconArrowBackUp}
                label={t('panel:undo')}
                reason={draft.past.length === 0 ? t('panel:nothingToUndo') : null}
                onPress={() => setDraft(undone)}
              />
              <ActionIconButton
                icon={IconArrowForwardUp}
                label={t('panel:redo')}
                reason={draft.future.length === 0 ? t('panel:nothingToRedo') : null}
                onPress={() => setDraft(redone)}
              />
              <Menu position="bottom-end">
                <Menu.Target>
                  <Button variant="default" leftSection={<IconPlus size={16} stroke={1.5} />}>
                    {t('panel:addWidget')}
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  {widgetKinds.map((kind) => (
                    <Menu.Item key={kind} onClick={() => add(kind)}>
                      {t(`panel:kind.${kind}`)}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            </div>
            <Button variant="default" onClick={() => void leave()}>
              {t('panel:leave')}
            </Button>
            <ActionButton
              rank="primary"
              label={t('panel:save')}
              permission={panelEditPermission}
              reason={dirty ? null : t('panel:nothingToSave')}
              busy={saving}
              onPress={() => void save()}
            />
          </>
        }
      />
      {conflict ? (
        <div style={{ marginBottom: 12 }}>
          <ConflictNote
            who={conflict}
            text={t('panel:conflict')}
            differences={[
              {
                name: 'widgets',
                label: t('panel:field.widgets'),
                theirs: namesOf(theirsOf(conflict)),
                mine: namesOf(widgets),
              },
            ]}
            onMine={() => goOn(conflict, widgets)}
            onTheirs={() => goOn(conflict, theirsOf(conflict))}
          />
        </div>
      ) : null}
      {narrow ? null : (
        <Text size="sm" c="dimmed" mb={8}>
          {t('panel:keys')}
        </Text>
      )}
      {widgets.length === 0 ? <Empty title={t('panel:empty.title')} text={t('panel:empty.edit')} /> : null}
      <div inert={saving}>
        <PanelEditGrid
          widgets={widgets}
          nameOf={(widget) => titleOf(widget, values)}
          draw={(widget) => <PanelWidget widget={widget} values={values} panelId={panel.id} />}
          opened={opened}
          onChange={put}
          onOpen={setOpened}
        />
      </div>
      <Drawer
        opened={shown !== undefined}
        onClose={() => setOpened(null)}
        title={shown ? t(`panel:kind.${shown.kind}`) : ''}
        position="right"
      >
        {shown ? (
          <PanelSettings
            key={shown.key}
            widget={shown}
            projectId={panel.projectId}
            values={values}
            onChange={(more, mark) => put(withWidget(widgets, shown.key, more), mark)}
            onPlace={(to) => put(movedTo(widgets, shown.key, to), `place ${shown.key}`)}
            onCopy={() => {
              const next = widgets.length < WIDGETS_MAX ? copied(widgets, shown.key) : null
              if (!next) return void toast('warning', t('panel:full', { max: WIDGETS_MAX }))
              put(next.list)
              setOpened(next.key)
            }}
            onRemove={() => {
              setOpened(null)
              put(without(widgets, shown.key))
            }}
          />
        ) : null}
      </Drawer>
    </>
  )
}
