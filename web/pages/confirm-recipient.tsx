import { confirmRecipient } from '#schema/report/recipient'
import { request } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import { ConfirmLink, type ConfirmTexts } from '../people/confirm-link.tsx'

const texts = (): ConfirmTexts => ({
  title: t('report-schedule:confirm.title'),
  text: t('report-schedule:confirm.text'),
  broken: t('profile:confirm.broken'),
  verb: t('report-schedule:confirm.verb'),
  failed: t('report-schedule:confirm.failed'),
  done: t('report-schedule:confirm.done'),
})

async function confirm(token: string): Promise<string> {
  const { email, customerName } = await request(confirmRecipient, { token })
  return customerName === null
    ? t('report-schedule:confirm.donePlatform', { email })
    : t('report-schedule:confirm.doneText', { email, customer: customerName })
}

/** For people who may not have an account, so there are no links into the console. */
export const Page = () => (
  <ConfirmLink word="report-schedule" texts={texts} confirm={confirm} forUsers={false} />
)
