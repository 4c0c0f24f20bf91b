import type { Word } from '#schema/kit/words.gen'
import { getRecordingList } from '#schema/remote/recording'
import { remoteRecordingScreen } from '#schema/remote/recording-pages'
import { recordingStates } from '#schema/remote/recording-policy'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Filter } from '../kit/list/list-types.ts'
import { recordingActions, recordingColumns, replayPath } from '../remote/recording-columns.tsx'

export const words: readonly Word[] = ['recording', 'device']

const filters: readonly Filter[] = [
  {
    key: 'state',
    label: 'recording:field.state',
    useOptions: () => recordingStates.map((value) => ({ value, label: t(`recording:state.${value}`) })),
  },
]

export const Page = listPage({
  screen: remoteRecordingScreen,
  line: 'recording:line',
  call: getRecordingList,
  rowKey: 'recordingId',
  rowLink: (row) => replayPath(row.recordingId),
  columns: recordingColumns,
  filters,
  searchPlaceholder: 'recording:search',
  exportName: 'recordings',
  refreshS: 10,
  rowActions: recordingActions,
  empty: () => <Empty title={t('recording:none')} text={t('recording:noneText')} />,
})
