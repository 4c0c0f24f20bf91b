import { Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { getRecording } from '#schema/remote/recording'
import { remoteReplayScreen } from '#schema/remote/recording-pages'
import classes from '../device/device.module.css'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { Dotted } from '../kit/dotted.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { bytes, moment, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { Mono } from '../kit/mono.tsx'
import { usePage, usePageTitle } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { pageOf, screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import { saveRecording } from '../remote/recording-columns.tsx'

export const words: readonly Word[] = ['recording', 'device']

const ReplayPane = lazy(() =>
  import('../remote/replay-pane.tsx').then((module) => ({ default: module.ReplayPane })),
)

/** Replays the recording of a terminal. */
export function Page() {
  const { params } = usePage()
  const recordingId = params['recordingId'] ?? ''
  const read = useCall(getRecording, { recordingId })
  const row = read.data
  usePageTitle(row && pageOf(row.deviceName, remoteReplayScreen))
  return (
    <div className={classes['stack']}>
      <PageHeader
        title={screenTitle(remoteReplayScreen)}
        beside={row ? <Mono value={row.deviceSn} /> : null}
        line={
          row ? (
            <Dotted
              parts={[
                row.deviceName,
                t('recording:by', { who: nameText(row.createdBy) ?? UNKNOWN, account: row.account }),
                moment(row.startedAt),
                bytes(row.sizeBytes),
              ]}
            />
          ) : null
        }
        actions={
          row ? (
            <ActionButton
              icon={IconDownload}
              label={t('recording:download')}
              onPress={() => void saveRecording(row)}
            />
          ) : null
        }
      />
      <ReadBar read={read} />
      {row ? (
        <Suspense fallback={<Skeleton h={420} />}>
          <ReplayPane key={row.recordingId} recordingId={row.recordingId} state={row.state} />
        </Suspense>
      ) : null}
    </div>
  )
}
