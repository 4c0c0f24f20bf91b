import { confirmEmail } from '#schema/people/profile'
import { request } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import { ConfirmLink, type ConfirmTexts } from '../people/confirm-link.tsx'

const texts = (): ConfirmTexts => ({
  title: t('profile:confirm.title'),
  text: t('profile:confirm.text'),
  broken: t('profile:confirm.broken'),
  verb: t('profile:confirm.verb'),
  failed: t('profile:confirm.failed'),
  done: t('profile:confirm.done'),
})

const confirm = async (token: string) => t('profile:confirm.doneText', await request(confirmEmail, { token }))

export const Page = () => <ConfirmLink word="profile" texts={texts} confirm={confirm} forUsers />
