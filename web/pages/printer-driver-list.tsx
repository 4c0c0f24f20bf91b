import { IconTrash } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import {
  addPrinterDriver,
  deletePrinterDriver,
  driverDebugStates,
  driverTypes,
  getPrinterDriverList,
  modifyPrinterDriver,
  printerDriverEditPermission,
  printerDriverScreen,
} from '#schema/printing/printer-driver'
import { Empty } from '../kit/empty.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'

export const words: readonly Word[] = ['printer-driver']

type Driver = Row<typeof getPrinterDriverList>
const tones: Record<Driver['debugState'], Tone> = {
  notDebugged: 'offline',
  passed: 'online',
  failed: 'critical',
}

const typeOptions = () => driverTypes.map((value) => ({ value, label: t(`printer-driver:type.${value}`) }))
const debugOptions = () =>
  driverDebugStates.map((value) => ({ value, label: t(`printer-driver:debug.${value}`) }))

const columns: readonly Column<Driver>[] = [
  {
    key: 'sign',
    title: 'printer-driver:field.sign',
    width: 150,
    pinned: 'left',
    card: 'title',
    render: (row) => <Mono value={row.sign} />,
  },
  {
    key: 'type',
    title: 'printer-driver:field.type',
    width: 120,
    render: (row) => t(`printer-driver:type.${row.type}`),
    text: (row) => t(`printer-driver:type.${row.type}`),
  },
  { key: 'address', title: 'printer-driver:field.address', width: 170 },
  {
    key: 'debugState',
    title: 'printer-driver:field.debugState',
    width: 150,
    card: 'beside',
    render: (row) => (
      <StatusChip tone={tones[row.debugState]} label={t(`printer-driver:debug.${row.debugState}`)} />
    ),
    text: (row) => t(`printer-driver:debug.${row.debugState}`),
  },
  { key: 'printerCount', title: 'printer-driver:field.printerCount', width: 110, numeric: true },
  { key: 'remark', title: 'printer-driver:field.remark', width: 220 },
  {
    key: 'updatedAt',
    title: 'printer-driver:field.updatedAt',
    width: 165,
    render: (row) => <When at={row.updatedAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  { key: 'type', label: 'printer-driver:field.type', useOptions: typeOptions },
  { key: 'debugState', label: 'printer-driver:field.debugState', useOptions: debugOptions },
]

const fields = (): readonly (Field | string)[] => [
  { name: 'sign', required: true, hint: 'printer-driver:signHint' },
  {
    name: 'type',
    required: true,
    useOptions: typeOptions,
  },
  {
    name: 'address',
    required: true,
    hint: 'printer-driver:addressHint',
  },
  {
    name: 'debugState',
    required: true,
    useOptions: debugOptions,
  },
  'remark',
]

const editor = listEditor({
  list: getPrinterDriverList,
  fields,
  success: 'printer-driver:saved',
  create: {
    call: addPrinterDriver,
    title: 'printer-driver:create',
    permission: printerDriverEditPermission,
    initial: { type: 'common', debugState: 'notDebugged' },
  },
  edit: {
    call: modifyPrinterDriver,
    title: 'printer-driver:edit',
    permission: printerDriverEditPermission,
    fixed: ({ id }) => ({ id }),
    values: ({ sign, type, address, debugState, remark }) => ({
      sign,
      type,
      address,
      debugState,
      remark: remark ?? '',
    }),
  },
})

export const Page = listPage({
  screen: printerDriverScreen,
  call: getPrinterDriverList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'printer-driver:search',
  exportName: 'printer-drivers',
  Actions: editor.Actions,
  rowActions: (row) => [
    editor.edit(row),
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: printerDriverEditPermission,
      danger: true,
      reason: row.printerCount > 0 ? t('printer-driver:remove.inUse', { count: row.printerCount }) : null,
      run: () =>
        void deleteRow({
          call: deletePrinterDriver,
          body: { id: row.id },
          title: t('printer-driver:remove.title', { sign: row.sign }),
          text: t('printer-driver:remove.text'),
          done: t('printer-driver:remove.done', { sign: row.sign }),
          refreshes: [getPrinterDriverList],
        }),
    },
  ],
  empty: () => (
    <Empty
      title={t('printer-driver:firstTitle')}
      text={t('printer-driver:firstText')}
      action={<editor.CreateButton />}
    />
  ),
})
