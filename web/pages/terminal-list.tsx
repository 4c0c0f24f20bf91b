import { IconEye, IconEyeOff, IconTrash } from '@tabler/icons-react'
import {
  addTerminal,
  deleteTerminal,
  getTerminalList,
  hideTerminal,
  modifyTerminal,
  terminalEditPermission,
  terminalProtocols,
  terminalScreen,
} from '#schema/device/terminal'
import type { Word } from '#schema/kit/words.gen'
import { useDeviceFound } from '../device/device-find.ts'
import { request } from '../kit/api.ts'
import { Empty } from '../kit/empty.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { withUndo } from '../kit/undo.tsx'

export const words: readonly Word[] = ['terminal']

type Terminal = Row<typeof getTerminalList>

const protocolOptions = () =>
  terminalProtocols.map((value) => ({ value, label: t(`terminal:protocol.${value}`) }))
const isTcp = (values: Record<string, unknown>) => values['protocol'] === 'modbusTcp'

const columns: readonly Column<Terminal>[] = [
  { key: 'name', title: 'terminal:field.name', width: 160, pinned: 'left', card: 'title' },
  {
    key: 'serial',
    title: 'terminal:field.serial',
    width: 130,
    extra: true,
    render: (row) => <Mono value={row.serial} />,
  },
  {
    key: 'deviceSn',
    title: 'terminal:field.device',
    width: 140,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'template', title: 'terminal:field.template', width: 130 },
  {
    key: 'protocol',
    title: 'terminal:field.protocol',
    width: 110,
    render: (row) => t(`terminal:protocol.${row.protocol}`),
    text: (row) => t(`terminal:protocol.${row.protocol}`),
  },
  { key: 'slaveId', title: 'terminal:field.slaveId', width: 96, numeric: true },
  {
    key: 'slaveAddress',
    title: 'terminal:field.slaveAddress',
    width: 130,
    render: (row) => <Mono value={row.slaveAddress} />,
  },
  { key: 'port', title: 'terminal:field.port', width: 90, numeric: true, extra: true },
  { key: 'serialPort', title: 'terminal:field.serialPort', width: 100, numeric: true, extra: true },
  { key: 'number', title: 'terminal:field.number', width: 110, extra: true },
  { key: 'location', title: 'terminal:field.location', width: 160 },
  {
    key: 'hidden',
    title: 'terminal:field.hidden',
    width: 100,
    card: 'beside',
    render: (row) => (
      <StatusChip
        tone={row.hidden ? 'offline' : 'online'}
        label={t(row.hidden ? 'terminal:hidden' : 'terminal:shown')}
      />
    ),
    text: (row) => t(row.hidden ? 'terminal:hidden' : 'terminal:shown'),
  },
  {
    key: 'accessTime',
    title: 'terminal:field.accessTime',
    width: 160,
    render: (row) => <When at={row.accessTime} absolute zone={row.timeZone} />,
  },
]

const filters: readonly Filter[] = [
  { key: 'protocol', label: 'terminal:field.protocol', useOptions: protocolOptions },
  {
    key: 'hidden',
    label: 'terminal:field.hidden',
    width: 120,
    useOptions: () => [
      { value: 'no', label: t('terminal:shown') },
      { value: 'yes', label: t('terminal:hidden') },
    ],
  },
]

const fields = (row: Terminal | null): readonly (Field | string)[] => [
  { name: 'name', required: true },
  {
    name: 'deviceId',
    required: true,
    useFound: useDeviceFound,
    known: row ? { value: String(row.deviceId), label: row.deviceSn } : undefined,
  },
  { name: 'template', required: true },
  {
    name: 'protocol',
    required: true,
    useOptions: protocolOptions,
  },
  {
    name: 'slaveId',
    required: true,
    hint: 'terminal:slaveIdHint',
  },
  {
    name: 'slaveAddress',
    required: true,
    hint: 'terminal:addressHint',
  },
  { name: 'port', when: isTcp },
  {
    name: 'serialPort',
    when: (values) => !isTcp(values),
  },
  'serial',
  'number',
  'location',
]

const editor = listEditor({
  list: getTerminalList,
  fields,
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
    values: (row) => ({
      name: row.name,
      deviceId: String(row.deviceId),
      template: row.template,
      protocol: row.protocol,
      slaveId: row.slaveId,
      slaveAddress: row.slaveAddress,
      port: row.port ?? '',
      serialPort: row.serialPort ?? '',
      serial: row.serial ?? '',
      number: row.number ?? '',
      location: row.location ?? '',
    }),
  },
})

const hide = ({ id, name, hidden }: Terminal) =>
  withUndo({
    text: t(hidden ? 'terminal:shownDone' : 'terminal:hiddenDone', { name }),
    run: () => request(hideTerminal, { id, hidden: !hidden }),
    undo: () => request(hideTerminal, { id, hidden }),
    refreshes: [getTerminalList],
  })

export const Page = listPage({
  screen: terminalScreen,
  call: getTerminalList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'terminal:search',
  exportName: 'terminals',
  Actions: editor.Actions,
  rowActions: (row) => [
    editor.edit(row),
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
    <Empty title={t('terminal:firstTitle')} text={t('terminal:firstText')} action={<editor.CreateButton />} />
  ),
})
