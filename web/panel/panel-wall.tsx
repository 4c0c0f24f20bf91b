/** A panel on a wall display, opened by a link. */
import { getPanel } from '#schema/monitor/panel'
import { isSessionEnd } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { useLiveValues } from '../monitor/live-values.ts'
import classes from './panel.module.css'
import { PanelGrid } from './panel-grid.tsx'
import { usePanelValues } from './panel-values.ts'
import { PanelWidget } from './panel-widget.tsx'

/** So that it shows what is changed at a desk. */
const REFRESH_S = 30

export function PanelWall({ panelId }: { panelId: number }) {
  const read = useCall(getPanel, { id: panelId }, { refreshS: REFRESH_S, keepPrevious: true })
  const panel = read.data
  const { values } = usePanelValues(panel?.projectId ?? 0, panel?.widgets ?? [])
  useLiveValues()
  if (read.error && (isSessionEnd(read.error) || !panel))
    return (
      <div className={classes['wall']}>
        <p className={classes['note']}>
          {isSessionEnd(read.error) ? t('big-screen:ended') : read.error.message}
        </p>
      </div>
    )
  if (!panel) return null
  return (
    <div className={classes['wall']}>
      <h1 className={classes['wallTitle']}>{panel.name}</h1>
      {read.error ? <em role="status">{t('big-screen:reconnecting')}</em> : null}
      <PanelGrid
        fills
        widgets={panel.widgets}
        draw={(widget) => <PanelWidget widget={widget} values={values} panelId={panel.id} />}
      />
    </div>
  )
}
