import { t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import { copyrightYears } from '../kit/page/copyright.ts'
import { FilingLinks, useFilings } from '../kit/page/filing-links.tsx'
import classes from './shell.module.css'

/**
 * [§2 Layout] The customer's text replaces the default; a customer's logo hides the default. Filings are always
 * shown.
 */
export function Footer() {
  const { copyRight, customerLogo } = me().user
  const filings = useFilings()
  const years = copyrightYears(new Date())
  const text = copyRight ?? (customerLogo ? null : t('shell:copyright', { years }))
  if (text === null && filings.length === 0) return null
  return (
    <footer className={classes['footer']}>
      {text === null ? null : <span>{text}</span>}
      <FilingLinks filings={filings} />
    </footer>
  )
}
