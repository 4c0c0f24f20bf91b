import { moment, viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import { usePrinting } from '../kit/page/printing.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import classes from './shell.module.css'

/** On paper only, at the top: whose data this is, and who printed it when. */
export function PrintHead() {
  const printing = usePrinting()
  if (!printing) return null
  const { customerName, username } = me().user
  return (
    <div className={classes['printHead']}>
      <strong>{customerName ?? t('shell:product')}</strong>
      <span>
        {t('shell:printed', { at: `${moment(new Date(serverNow()))} (${viewerZone()})`, name: username })}
      </span>
    </div>
  )
}
