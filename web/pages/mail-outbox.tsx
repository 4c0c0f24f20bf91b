import { Alert, Text } from '@mantine/core'
import { IconInfoCircle, IconMailOpened, IconSend } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { Word } from '#schema/kit/words.gen'
import {
  getMailList,
  getMailWay,
  mailOutboxPermission,
  mailScreen,
  mailStates,
  resendMail,
} from '#schema/platform/mail'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import type { Column, Filter, RowAction } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { opener } from '../kit/opener.ts'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { queryClient, reportError, useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { MailChip, type MailRow, mailStateText } from '../platform/mail-chip.tsx'

export const words: readonly Word[] = ['mail']

const MailReader = lazy(() =>
  import('../platform/mail-reader.tsx').then((module) => ({ default: module.MailReader })),
)
const drawer = opener<number>()

const columns: readonly Column<MailRow>[] = [
  {
    key: 'subject',
    title: 'mail:field.subject',
    width: 190,
    card: 'title',
    render: (row) => (
      <Text span fw={600} title={row.subject}>
        {row.subject}
      </Text>
    ),
  },
  { key: 'recipient', title: 'mail:field.recipient', width: 145 },
  {
    key: 'state',
    title: 'mail:field.state',
    width: 180,
    card: 'beside',
    render: (row) => <MailChip row={row} />,
    text: mailStateText,
  },
  { key: 'error', title: 'mail:field.error', width: 145, prose: true },
  { key: 'attempts', title: 'mail:field.attempts', width: 90, numeric: true, extra: true },
  {
    key: 'createdAt',
    title: 'mail:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
  {
    key: 'sentAt',
    title: 'mail:field.sentAt',
    width: 165,
    extra: true,
    render: (row) => <When at={row.sentAt} absolute />,
  },
  { key: 'customerName', title: 'mail:field.customer', width: 120, extra: true },
]

const filters: readonly Filter[] = [
  {
    key: 'state',
    label: 'mail:field.state',
    useOptions: () =>
      [...mailStates, 'kept' as const].map((value) => ({ value, label: t(`mail:state.${value}`) })),
  },
]

async function resend(row: MailRow) {
  try {
    await request(resendMail, { id: row.id })
    void queryClient.invalidateQueries({ queryKey: [getMailList.name] })
    void toast('success', t('mail:resent'))
  } catch (error) {
    reportError(error)
  }
}

const whyNotSent = (row: MailRow) => (row.resend === 'possible' ? null : t(`mail:resendNot.${row.resend}`))

function Reader() {
  const now = drawer.useOpened()
  return (
    <Suspense>
      {now ? <MailReader key={now.turn} id={now.what} opened={now.shown} onClose={drawer.close} /> : null}
    </Suspense>
  )
}

function WayNote() {
  const way = useCall(getMailWay, {}).data?.way
  if (way === undefined || way === 'smtp') return null
  return (
    <Alert
      mb="sm"
      color={way === 'missing' ? 'red' : 'yellow'}
      icon={<IconInfoCircle size={18} stroke={1.5} />}
    >
      {t(`mail:way.${way}`)}
    </Alert>
  )
}

const readAndResend = (row: MailRow): readonly RowAction[] => [
  { key: 'read', label: t('mail:read'), icon: IconMailOpened, run: () => drawer.show(row.id) },
  {
    key: 'resend',
    label: t('mail:resend'),
    icon: IconSend,
    permission: mailOutboxPermission,
    reason: whyNotSent(row),
    run: () => void resend(row),
  },
]

export function Page() {
  return (
    <>
      <Reader />
      <ListView
        call={getMailList}
        rowKey="id"
        columns={columns}
        filters={filters}
        searchPlaceholder="mail:searchPlaceholder"
        exportName="mails"
        refreshS={10}
        rowActions={readAndResend}
        header={() => (
          <>
            <PageHeader title={screenTitle(mailScreen)} />
            <WayNote />
          </>
        )}
        empty={() => <Empty title={t('mail:none.title')} text={t('mail:none.text')} />}
      />
    </>
  )
}
