/** Why something ended on a device: the platform's reasons in the user's language, the device's own words in quotes. */
import { t, tOr } from './i18n.ts'

/** A code, possibly with a value (schema/task/end-reason.ts). */
const CODE = /^(\w+)(?::(.*))?$/

/** What a device says is in its own language: quoted, so that nobody takes it for a text of the console. */
export const deviceWords = (text: string) => t('kit:quoted', { text })

export function endedText(detail: string): string {
  const [, code = '', value = ''] = CODE.exec(detail) ?? []
  const key = `task:ended.${code}` as 'task:ended.backWith'
  if (code === '' || tOr(key, '') === '') return deviceWords(detail)
  return t(key, { value: code === 'silentIn' ? tOr(`task:step.${value}`, value) : value })
}
