import { IconAlertTriangle } from '@tabler/icons-react'
import { getWorkState } from '#schema/platform/work'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import classes from './shell.module.css'

const ASK_S = 30
const ASK_SILENT_S = 5

/** Shown when the workers are silent: otherwise every page would look normal while nothing is processed. */
export function WorkBar() {
  const since = useCall(getWorkState, {}, { refreshS: ASK_S }).data?.silentSince
  // The same query, polled more often while the workers are silent.
  useCall(getWorkState, {}, { refreshS: ASK_SILENT_S, enabled: Boolean(since) })
  if (!since) return null
  return (
    <div className={classes['workBar']} role="status">
      <IconAlertTriangle size={18} stroke={1.5} />
      <span>{t('shell:notWorking', { at: moment(since) ?? '' })}</span>
    </div>
  )
}
