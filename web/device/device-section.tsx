import type { ReactNode } from 'react'
import { getDeviceSections } from '#schema/device/section'
import type { ReplyOf } from '#schema/kit/call'
import { Card } from '../kit/card.tsx'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { TimeText } from '../kit/time-text.tsx'
import classes from './device-detail.module.css'

export type Sections = ReplyOf<typeof getDeviceSections>
const REFRESH_S = 5

/** The last report of each section; undefined while loading. */
export const useSections = (deviceId: number) =>
  useCall(getDeviceSections, { deviceId }, { refreshS: REFRESH_S })

type Props = { title: string; at: string | null | undefined; side?: ReactNode; children: ReactNode }

/** A card that shows the age of its contents. */
export function SectionCard({ title, at, side, children }: Props) {
  return (
    <Card
      title={title}
      side={
        <span style={{ display: 'flex', gap: 10, alignItems: 'center' }}>
          {at ? (
            <span className={classes['age']}>
              <TimeText text="detail:reportedAt" at={at} />
            </span>
          ) : null}
          {side}
        </span>
      }
    >
      {children}
    </Card>
  )
}

/** The device has never reported this section. */
export function NotReported() {
  return <p style={{ margin: 0, color: 'var(--text-3)' }}>{t('detail:notReported')}</p>
}
