/** The list of terminals: in Devices Management as equipment behind devices, in Cloud Monitoring by project and group. */
import { IconEye, IconEyeOff, IconGauge, IconStethoscope, IconTrash } from '@tabler/icons-react'
import {
  addTerminal,
  deleteTerminal,
  getTerminalList,
  hideTerminal,
  modifyTerminal,
  terminalEditPermission,
} from '#schema/device/terminal'
import type { Screen } from '#schema/kit/screen'
import { commissionPermission } from '#schema/monitor/commands/commissioning'
import { commissioningScreen } from '#schema/monitor/commissioning-page'
import { variableScreen } from '#schema/monitor/variable-pages'
import { confirmTerminal } from '../device/terminal-loss.ts'
import { request } from '../kit/api.ts'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Filter } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'
import { holdsScreen } from '../kit/session.ts'
import { withUndo } from '../kit/undo.tsx'
import { terminalColumns, terminalFilters } from './terminal-columns.tsx'
import type { Terminal } from './terminal-fields.tsx'
import { terminalFields, terminalValues } from './terminal-fields.tsx'

const hide = ({ id, name, hidden }: Terminal) =>
  withUndo({
    text: t(hidden ? 'terminal:shownDone' : 'terminal:hiddenDone', { name }),
    run: () => request(hideTerminal, { id, hidden: !hidden }),
    undo: () => request(hideTerminal, { id, hidden }),
    refreshes: [getTerminalList],
  })

/** @param places filters by where the terminals are */
export function terminalPage(screen: Screen, places: readonly Filter[]) {
  const editor = listEditor({
    list: getTerminalList,
    fields: terminalFields,
    success: 'terminal:saved',
    create: {
      call: addTerminal,
      title: 'terminal:create',
      permission: terminalEditPermission,
      initial: { protocol: 'modbusRtu' },
    },
    edit: {
      call: modifyTerminal,
      title: 'terminal:edit',
      permission: terminalEditPermission,
      fixed: ({ id }) => ({ id }),
      values: terminalValues,
      confirm: confirmTerminal,
    },
  })
  return listPage({
    screen,
    call: getTerminalList,
    rowKey: 'id',
    columns: terminalColumns,
    filters: [...places, ...terminalFilters],
    searchPlaceholder: 'terminal:search',
    exportName: 'terminals',
    refreshS: screen.area === 'monitor' ? 10 : 0,
    Actions: editor.Actions,
    rowActions: (row) => [
      editor.edit(row),
      ...(holdsScreen(variableScreen)
        ? [
            {
              key: 'values',
              label: t('terminal:values'),
              icon: IconGauge,
              run: () => goTo(`${variableScreen.path}?terminalId=${row.id}`),
            },
          ]
        : []),
      ...(holdsScreen(commissioningScreen) && row.protocol !== 'source'
        ? [
            {
              key: 'commission',
              label: t('terminal:commission'),
              icon: IconStethoscope,
              permission: commissionPermission,
              run: () => goTo(`${commissioningScreen.path}?deviceId=${row.deviceId}&terminalId=${row.id}`),
            },
          ]
        : []),
      {
        key: 'hide',
        label: t(row.hidden ? 'terminal:show' : 'terminal:hide'),
        icon: row.hidden ? IconEye : IconEyeOff,
        permission: terminalEditPermission,
        run: () => void hide(row),
      },
      {
        key: 'delete',
        label: t('kit:delete'),
        icon: IconTrash,
        permission: terminalEditPermission,
        danger: true,
        run: () =>
          void deleteRow({
            call: deleteTerminal,
            body: { id: row.id },
            title: t('terminal:remove.title', { name: row.name }),
            text: t('terminal:remove.text'),
            done: t('terminal:remove.done', { name: row.name }),
            refreshes: [getTerminalList],
          }),
      },
    ],
    empty: () => (
      <Empty
        title={t('terminal:firstTitle')}
        text={t('terminal:firstText')}
        action={<editor.CreateButton />}
      />
    ),
  })
}
