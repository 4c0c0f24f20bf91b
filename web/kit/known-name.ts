import { PLATFORM_NAME } from '#schema/kit/known-name'
import { t } from './i18n.ts'

/** A user name in a response: platform users are not named to customers [decisions/062]. */
export const nameText = <T>(name: T): T | string => (name === PLATFORM_NAME ? t('kit:platformUser') : name)

/** Who did something that has been done: a deleted user has no name any more, one of another customer has none here. */
export const doerText = (name: string | null): string => nameText(name) ?? t('kit:unknownUser')
