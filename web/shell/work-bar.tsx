import { IconAlertTriangle } from '@tabler/icons-react'
import { getWorkState } from '#schema/platform/work'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import classes from './shell.module.css'

const ASK_S = 30
const ASK_SILENT_S = 5

/** Every page looks well while nothing is being done: only this says otherwise. */
export function WorkBar() {
  const since = useCall(getWorkState, {}, { refreshS: ASK_S }).data?.silentSince
  // The same question, asked more often while the answer is awaited.
  useCall(getWorkState, {}, { refreshS: ASK_SILENT_S, enabled: Boolean(since) })
  if (!since) return null
  return (
    <div className={classes['workBar']} role="status">
      <IconAlertTriangle size={18} stroke={1.5} />
      <span>{t('shell:notWorking', { at: moment(since) ?? '' })}</span>
    </div>
  )
}
