/** Why something ended on a device, in the language of the user (schema/task/ended-text.ts). */
import { endedText as ended, deviceWords as quoted } from '#schema/task/ended-text'
import { t } from './i18n.ts'

export const deviceWords = (text: string) => quoted(text, t)
export const endedText = (detail: string) => ended(detail, t)
