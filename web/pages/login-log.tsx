import type { Word } from '#schema/kit/words.gen'
import {
  exportLogins,
  getLoginList,
  loginLogPermission,
  loginLogScreen,
  loginResults,
} from '#schema/people/login'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { logFilters } from '../platform/log-filters.ts'

export const words: readonly Word[] = ['login-log', 'operation']

type LoginRow = Row<typeof getLoginList>
const tones: Record<LoginRow['result'], Tone> = {
  ok: 'online',
  wrongPassword: 'warning',
  wrongCode: 'warning',
}

const columns: readonly Column<LoginRow>[] = [
  {
    key: 'at',
    title: 'operation:field.at',
    width: 165,
    pinned: 'left',
    render: (row) => <When at={row.at} absolute />,
  },
  { key: 'username', title: 'login-log:field.username', width: 150, card: 'title' },
  {
    key: 'result',
    title: 'operation:field.result',
    width: 225,
    card: 'beside',
    render: (row) => <StatusChip tone={tones[row.result]} label={t(`login-log:result.${row.result}`)} />,
    text: (row) => t(`login-log:result.${row.result}`),
  },
  {
    key: 'way',
    title: 'login-log:field.way',
    width: 110,
    render: (row) => t(`login-log:way.${row.way}`),
    text: (row) => t(`login-log:way.${row.way}`),
  },
  { key: 'ip', title: 'operation:field.ip', width: 140, render: (row) => <Mono value={row.ip} /> },
  { key: 'customerName', title: 'operation:field.customer', width: 130 },
  {
    key: 'endedAt',
    title: 'login-log:field.endedAt',
    width: 165,
    render: (row) => <When at={row.endedAt} absolute />,
  },
  { key: 'userAgent', title: 'login-log:field.userAgent', width: 320, extra: true },
]

const filters: readonly Filter[] = [
  ...logFilters,
  {
    key: 'result',
    label: 'operation:field.result',
    useOptions: () => loginResults.map((value) => ({ value, label: t(`login-log:result.${value}`) })),
  },
]

export const Page = listPage({
  screen: loginLogScreen,
  call: getLoginList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'login-log:searchPlaceholder',
  exportCall: exportLogins,
  exportPermission: loginLogPermission,
  exportName: 'logins',
})
