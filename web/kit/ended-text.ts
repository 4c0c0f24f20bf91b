/** Why something ended on a device: the platform's reasons in the user's language, the device's own words in quotes. */
import { t, tOr } from './i18n.ts'

/** A code, possibly with a value (schema/task/end-reason.ts). */
const CODE = /^(\w+)(?::(.*))?$/

/** How a change of the configuration ended, before the reason: `reverted: not confirmed within 90 s`. */
const OUTCOME = /^(reverted|rejected|conflict|busy): (.+)$/

/** What the agent and the simulator say of such a change, by the key of its text. Their other words are their own. */
const said = {
  notConfirmed: /^not confirmed within (\d+) s$/,
  restarted: /^(?:restarted before it was confirmed|the device was restarted during the trial)$/,
  takenBack: /^(?:the platform took it back|told to by the platform)$/,
  interrupted: /^the agent was interrupted$/,
  notBase: /^(\S+) is not what the change is based on$/,
  otherPackage: /^another package is not what the platform knows$/,
  onTrial: /^(?:a change of the configuration|another change|a restored configuration) is on trial$/,
  inWebPage: /^somebody is trying a change in the web page of the device$/,
  uncommitted:
    /^(?:(\S+) has uncommitted changes on the device|uncommitted changes of (\S+) on the device \(uci changes\))$/,
} as const

/** What someone has changed during the trial is not rolled back. */
const LEFT = /^(.+?); changed (?:on the device )?meanwhile and left as it is: ?(.+)$/

/** What a device says is in its own language: quoted, so that nobody takes it for a text of the console. */
export const deviceWords = (text: string) => t('kit:quoted', { text })

function saidText(detail: string): string | null {
  for (const [name, sentence] of Object.entries(said) as [keyof typeof said, RegExp][]) {
    const [found, ...values] = sentence.exec(detail) ?? []
    if (found !== undefined) return t(`task:said.${name}`, { value: values.find(Boolean) ?? '' })
  }
  return null
}

export function endedText(detail: string): string {
  const [, outcome, why] = OUTCOME.exec(detail) ?? []
  if (outcome !== undefined && why !== undefined)
    return t('kit:labelled', { label: t(`task:configEnd.${outcome as 'busy'}`), text: endedText(why) })
  const [, before, names] = LEFT.exec(detail) ?? []
  if (before !== undefined && names !== undefined)
    return t('task:said.leftAsIs', { reason: endedText(before), names })
  const known = saidText(detail)
  if (known !== null) return known
  const [, code = '', value = ''] = CODE.exec(detail) ?? []
  const key = `task:ended.${code}` as 'task:ended.backWith'
  if (code === '' || tOr(key, '') === '') return deviceWords(detail)
  return t(key, { value: code === 'silentIn' ? tOr(`task:step.${value}`, value) : value })
}
