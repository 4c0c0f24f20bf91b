import type { Word } from '#schema/kit/words.gen'
import { getAccessList } from '#schema/remote/access'
import { remoteAccessScreen } from '#schema/remote/access-pages'
import { accessStates } from '#schema/remote/access-policy'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Filter } from '../kit/list/list-types.ts'
import { accessActions, accessColumns } from '../remote/access-columns.tsx'

export const words: readonly Word[] = ['access', 'device']

const filters: readonly Filter[] = [
  {
    key: 'state',
    label: 'access:field.state',
    useOptions: () => accessStates.map((value) => ({ value, label: t(`access:state.${value}`) })),
  },
]

export const Page = listPage({
  screen: remoteAccessScreen,
  line: 'access:line',
  call: getAccessList,
  rowKey: 'accessId',
  columns: accessColumns,
  filters,
  searchPlaceholder: 'access:search',
  exportName: 'access-requests',
  refreshS: 10,
  rowActions: accessActions,
  empty: () => <Empty title={t('access:none')} text={t('access:noneText')} />,
})
