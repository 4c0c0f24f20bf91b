import { IconTrash } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import {
  deletePrinter,
  getPrinterList,
  modifyPrinter,
  printerEditPermission,
  printerScreen,
  printerStates,
  printerTroubles,
  printMethods,
} from '#schema/printing/printer'
import { printerDriverScreen } from '#schema/printing/printer-driver'
import { Empty } from '../kit/empty.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { ifHeld, PageLink } from '../kit/page-link.tsx'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'

export const words: readonly Word[] = ['printer', 'printer-driver', 'device']

type Printer = Row<typeof getPrinterList>

function tone(row: Printer): Tone {
  if (!row.present || !row.deviceOnline || row.status === 'offline') return 'offline'
  if (row.status === 'error') return 'critical'
  if (printerTroubles.some((trouble) => trouble === row.status)) return 'warning'
  return row.status === 'printing' ? 'pending' : 'online'
}
const stateText = (row: Printer) => (row.present ? t(`printer:status.${row.status}`) : t('printer:unplugged'))

function hint(row: Printer) {
  if (!row.present) return t('printer:gone')
  return row.deviceOnline ? undefined : t('printer:deviceOffline')
}

const columns: readonly Column<Printer>[] = [
  {
    key: 'status',
    title: 'printer:field.status',
    width: 118,
    pinned: 'left',
    card: 'beside',
    render: (row) => <StatusChip tone={tone(row)} label={stateText(row)} hint={hint(row)} />,
    text: stateText,
  },
  { key: 'alias', title: 'printer:field.alias', width: 128, pinned: 'left', card: 'title' },
  { key: 'vendor', title: 'printer:field.vendor', width: 86 },
  { key: 'type', title: 'printer:field.type', width: 124 },
  {
    key: 'deviceSn',
    title: 'printer:field.device',
    width: 126,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  // Beside its device: several printers hang at one.
  { key: 'port', title: 'printer:field.port', width: 110, render: (row) => <Mono value={row.port} /> },
  { key: 'deviceName', title: 'device:column.deviceName', width: 140, extra: true },
  {
    key: 'method',
    title: 'printer:field.method',
    width: 78,
    render: (row) => t(`printer:method.${row.method}`),
    text: (row) => t(`printer:method.${row.method}`),
  },
  {
    key: 'driverSign',
    title: 'printer:field.driver',
    width: 150,
    extra: true,
    render: (row) => <DriverCell row={row} />,
  },
  {
    key: 'lastPrintAt',
    title: 'printer:field.lastPrintAt',
    width: 108,
    render: (row) => <When at={row.lastPrintAt} zone={row.timeZone} />,
  },
  {
    key: 'successCount',
    title: 'printer:field.successCount',
    width: 110,
    numeric: true,
    render: (row) => number(row.successCount),
  },
  {
    key: 'failCount',
    title: 'printer:field.failCount',
    width: 96,
    numeric: true,
    render: (row) => number(row.failCount),
  },
  {
    key: 'totalCount',
    title: 'printer:field.totalCount',
    width: 96,
    numeric: true,
    // The sum of both.
    extra: true,
    render: (row) => number(row.totalCount),
  },
  {
    key: 'statusAt',
    title: 'printer:field.statusAt',
    width: 120,
    extra: true,
    render: (row) => <When at={row.statusAt} zone={row.timeZone} />,
  },
]

function DriverCell({ row }: { row: Printer }) {
  if (!row.driverSign) return <Mono value={null} />
  if (row.driverDebug === null)
    return <StatusChip tone="warning" label={row.driverSign} hint={t('printer:driverUnknown')} />
  return (
    <PageLink
      to={ifHeld(
        printerDriverScreen,
        `${printerDriverScreen.path}?search=${encodeURIComponent(row.driverSign)}`,
      )}
    >
      {row.driverSign} · {t(`printer-driver:debug.${row.driverDebug}`)}
    </PageLink>
  )
}

const filters: readonly Filter[] = [
  {
    key: 'status',
    label: 'printer:field.status',
    useOptions: () => printerStates.map((value) => ({ value, label: t(`printer:status.${value}`) })),
  },
  {
    key: 'method',
    label: 'printer:field.method',
    useOptions: () => printMethods.map((value) => ({ value, label: t(`printer:method.${value}`) })),
  },
]

/** Printers are reported by devices; users only set aliases. */
const editor = listEditor({
  list: getPrinterList,
  fields: () => [{ name: 'alias', required: true }],
  success: 'printer:renamed',
  edit: {
    call: modifyPrinter,
    title: 'printer:rename',
    permission: printerEditPermission,
    fixed: ({ id }) => ({ id }),
    values: ({ alias }) => ({ alias }),
  },
})

export const Page = listPage({
  screen: printerScreen,
  call: getPrinterList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'printer:search',
  exportName: 'printers',
  refreshS: 20,
  Actions: editor.Actions,
  rowActions: (row) => [
    editor.edit(row),
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: printerEditPermission,
      danger: true,
      reason: row.present ? t('printer:remove.present') : null,
      run: () =>
        void deleteRow({
          call: deletePrinter,
          body: { id: row.id },
          title: t('printer:remove.title', { alias: row.alias }),
          text: t('printer:remove.text'),
          done: t('printer:remove.done', { alias: row.alias }),
          refreshes: [getPrinterList],
        }),
    },
  ],
  empty: () => <Empty title={t('printer:firstTitle')} text={t('printer:firstText')} />,
})
