/** Why a trial ended: the sentences of our own devices in the language of the user, those of others in quotes. */
import { endedText } from '../kit/ended-text.ts'
import { t } from '../kit/i18n.ts'

const NOT_CONFIRMED = /^not confirmed within (\d+) s$/
/** As the agent and the simulator say it. */
const plain: Readonly<Record<string, 'restarted' | 'takenBack'>> = {
  'restarted before it was confirmed': 'restarted',
  'the platform took it back': 'takenBack',
}

export function trialEndText(detail: string): string {
  const [, seconds] = NOT_CONFIRMED.exec(detail) ?? []
  if (seconds !== undefined) return t('config:trialEnd.notConfirmed', { seconds })
  const known = plain[detail]
  return known === undefined ? endedText(detail) : t(`config:trialEnd.${known}`)
}
