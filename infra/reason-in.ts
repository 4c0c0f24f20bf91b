/** What is wrong with a value, in the reader's language: an error map for zod, whose own messages are for programmers. */
import { z } from 'zod'
import { type Fault, faultText, type Reason } from '#schema/kit/fault'
import type { Language } from '#schema/kit/refusal'
import { shapeOf } from '#schema/kit/shape'
import { sayIn } from './say.ts'

const zodErrors = { 'zh-CN': z.locales.zhCN(), 'zh-TW': z.locales.zhTW(), 'en-US': z.locales.en() }
type Raw = z.core.$ZodRawIssue

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): Fault {
  const n = Number(minimum)
  if (origin === 'string') return n === 1 ? { reason: 'required' } : { reason: 'shorter', n }
  if (origin === 'array') return n === 1 ? { reason: 'empty' } : { reason: 'fewer', n }
  return { reason: inclusive ? 'less' : 'above', n }
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): Fault {
  const n = Number(maximum)
  if (origin === 'string') return { reason: 'longer', n }
  if (origin === 'array') return { reason: 'more', n }
  return { reason: inclusive ? 'greater' : 'below', n }
}

const alternativesOf = (issue: Raw) =>
  issue.code === 'invalid_union' ? (issue['errors'] as readonly (readonly z.core.$ZodIssue[])[]) : []

/** What a value of another type must be. */
const expectations: Readonly<Record<string, Reason>> = { string: 'text', number: 'number', int: 'whole' }

/** The commonest faults; zod's own messages are for programmers. null: zod's message is used. */
function faultOf(issue: Raw): Fault | null {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined || issue.input === null) return { reason: 'required' }
    return { reason: expectations[String(issue.expected)] ?? 'format' }
  }
  if (issue.code === 'invalid_value') return { reason: 'choice' }
  // Such as a flag, which is sent as true, 1 or '1'.
  const choices = alternativesOf(issue)
  if (choices.some(([first]) => first?.code === 'invalid_value' && first.path.length === 0))
    return fittingText(issue) === null ? { reason: 'choice' } : null
  if (issue.code === 'too_small') return tooSmall(issue as unknown as z.core.$ZodIssueTooSmall)
  if (issue.code === 'too_big') return tooBig(issue as unknown as z.core.$ZodIssueTooBig)
  if (issue.code === 'custom')
    return (issue['params'] as { fault?: Fault } | undefined)?.fault ?? { reason: 'format' }
  if (issue.code !== 'invalid_format') return null
  const shape = shapeOf(String(issue['format']), issue['pattern'] as string | undefined)
  if (shape !== undefined) return { reason: 'format', shape }
  return issue['format'] === 'regex' ? { reason: 'format' } : null
}

/** The alternative of a union whose type matches the value, with its fault; null if there is none. */
function fittingText(issue: Raw): string | null {
  const alternatives = alternativesOf(issue)
  const fitting = alternatives.find(
    ([first]) => first && !['invalid_type', 'invalid_value'].includes(first.code),
  )
  return fitting?.[0]?.path.length === 0 ? fitting[0].message : null
}

/** A zod error map. */
export const reasonIn = (language: Language) => (issue: Raw) => {
  const fault = faultOf(issue)
  return fault === null
    ? (fittingText(issue) ?? zodErrors[language].localeError(issue))
    : faultText(fault, sayIn(language))
}
