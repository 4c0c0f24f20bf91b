import type { Word } from '#schema/kit/words.gen'
import { remoteKinds } from '#schema/remote/remote-access'
import { remoteSessionScreen } from '#schema/remote/remote-pages'
import { getRemoteList } from '#schema/remote/remote-session'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Filter } from '../kit/list/list-types.ts'
import { sessionActions, sessionColumns } from '../remote/session-columns.tsx'

export const words: readonly Word[] = ['remote', 'device']

const filters: readonly Filter[] = [
  {
    key: 'open',
    label: 'remote:field.open',
    useOptions: () => (['yes', 'no'] as const).map((value) => ({ value, label: t(`remote:open.${value}`) })),
  },
  {
    key: 'kind',
    label: 'remote:field.kind',
    useOptions: () => remoteKinds.map((value) => ({ value, label: t(`remote:kind.${value}`) })),
  },
]

export const Page = listPage({
  screen: remoteSessionScreen,
  call: getRemoteList,
  rowKey: 'sessionId',
  columns: sessionColumns,
  filters,
  searchPlaceholder: 'remote:searchSessions',
  exportName: 'remote-sessions',
  refreshS: 5,
  rowActions: sessionActions,
  empty: () => <Empty title={t('remote:none')} text={t('remote:noneText')} />,
})
