import { t } from '../kit/i18n.ts'
import { me } from './me.ts'
import classes from './shell.module.css'

const FIRST_YEAR = 2019

/** [§2 Layout] The customer's text replaces the default; a customer's logo hides the default. */
export function Footer() {
  const { copyRight, customerLogo } = me().user
  if (!copyRight && customerLogo) return null
  const years = `${FIRST_YEAR}-${new Date().getFullYear()}`
  return <footer className={classes['footer']}>{copyRight ?? t('shell:copyright', { years })}</footer>
}
