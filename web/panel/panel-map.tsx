import { getMonitorBoard } from '#schema/monitor/monitor-board'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { ScreenMap } from '../map/big-screen-map.tsx'
import classes from './panel.module.css'
import { Note, type WidgetProps } from './panel-reading.tsx'

const REFRESH_S = 60

/** The positions of the project's gateways, and which of them are offline. */
export function PanelMap({ projectId }: WidgetProps) {
  const { data, error } = useCall(getMonitorBoard, { projectId }, { refreshS: REFRESH_S, keepPrevious: true })
  if (error && !data) return <Note>{error.message}</Note>
  if (!data) return null
  if (data.places.length === 0) return <Note>{t('panel:noPlace')}</Note>
  return (
    <div className={classes['map']}>
      <ScreenMap places={data.places} none="" />
    </div>
  )
}
