import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { remoteWatchScreen } from '#schema/remote/remote-pages'
import { getRemote } from '#schema/remote/remote-session'
import classes from '../device/device.module.css'
import { lazy } from '../kit/chunk.ts'
import { Dotted } from '../kit/dotted.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { moment, UNKNOWN } from '../kit/format.ts'
import { nameText } from '../kit/known-name.ts'
import { Mono } from '../kit/mono.tsx'
import { usePage, usePageTitle } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { pageOf, screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'

export const words: readonly Word[] = ['watch', 'remote']

const WatchPane = lazy(() =>
  import('../remote/watch-pane.tsx').then((module) => ({ default: module.WatchPane })),
)

/** Watches another user's terminal live. */
export function Page() {
  const { params } = usePage()
  const sessionId = params['sessionId'] ?? ''
  const read = useCall(getRemote, { sessionId })
  const session = read.data
  usePageTitle(session && pageOf(session.deviceName, remoteWatchScreen))
  return (
    <div className={classes['stack']}>
      <PageHeader
        title={screenTitle(remoteWatchScreen)}
        beside={session ? <Mono value={session.deviceSn} /> : null}
        line={
          session ? (
            <Dotted
              parts={[session.deviceName, nameText(session.createdBy) ?? UNKNOWN, moment(session.createdAt)]}
            />
          ) : null
        }
      />
      <ReadBar read={read} />
      {session ? (
        <Suspense fallback={<Skeleton h={420} />}>
          <WatchPane key={sessionId} sessionId={sessionId} />
        </Suspense>
      ) : null}
    </div>
  )
}
