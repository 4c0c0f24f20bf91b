/**
 * Why something ended on a device, for the console, mails and messages: the platform's reasons, and the sentences that the
 * agent and the simulator are known to say, in the language of the reader; other words of a device in quotes.
 */
import type { Say } from '../kit/say.ts'
import { taskSteps } from '../kit/task-kind.ts'
import { cancelReasons, failReasons, valuedReasons } from './end-reason.ts'

/** A code, possibly with a value (end-reason.ts). */
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

const codes: readonly string[] = [...cancelReasons, ...failReasons, ...valuedReasons]
type Code = (typeof cancelReasons)[number] | (typeof failReasons)[number] | (typeof valuedReasons)[number]
const isCode = (code: string): code is Code => codes.includes(code)
const isStep = (step: string): step is (typeof taskSteps)[number] =>
  (taskSteps as readonly string[]).includes(step)

function saidText(detail: string, say: Say): string | null {
  for (const [name, sentence] of Object.entries(said) as [keyof typeof said, RegExp][]) {
    const [found, ...values] = sentence.exec(detail) ?? []
    if (found !== undefined) return say(`task:said.${name}`, { value: values.find(Boolean) ?? '' })
  }
  return null
}

/** What a device says is in its own language: quoted, so that nobody takes it for a text of the platform. */
export const deviceWords = (text: string, say: Say): string => say('kit:quoted', { text })

export function endedText(detail: string, say: Say): string {
  const [, outcome, why] = OUTCOME.exec(detail) ?? []
  if (outcome !== undefined && why !== undefined)
    return say('kit:labelled', {
      label: say(`task:configEnd.${outcome as 'busy'}`),
      text: endedText(why, say),
    })
  const [, before, names] = LEFT.exec(detail) ?? []
  if (before !== undefined && names !== undefined)
    return say('task:said.leftAsIs', { reason: endedText(before, say), names })
  const known = saidText(detail, say)
  if (known !== null) return known
  const [, code = '', value = ''] = CODE.exec(detail) ?? []
  if (!isCode(code)) return deviceWords(detail, say)
  return say(`task:ended.${code}`, {
    value: code === 'silentIn' && isStep(value) ? say(`task:step.${value}`) : value,
  })
}
