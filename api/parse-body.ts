/** A body against its declaration; what is wrong with it is said to people, in their language. */
import { z } from 'zod'
import type { Call } from '#schema/kit/call'
import { type Language, refuse } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'

type Texts = Readonly<Record<Language, string>>
const texts = (cn: string, tw: string, en: string): Texts => ({ 'zh-CN': cn, 'zh-TW': tw, 'en-US': en })

const zodErrors = { 'zh-CN': z.locales.zhCN(), 'zh-TW': z.locales.zhTW(), 'en-US': z.locales.en() }
const reasons = {
  required: texts('不能为空', '不能空白', 'is required'),
  whole: texts('必须是整数', '必須是整數', 'must be a whole number'),
  number: texts('必须是数字', '必須是數字', 'must be a number'),
  format: texts('格式不正确', '格式不正確', 'has a wrong format'),
  shorter: texts('至少 {n} 个字符', '至少 {n} 個字元', 'must have at least {n} characters'),
  longer: texts('最多 {n} 个字符', '最多 {n} 個字元', 'must have at most {n} characters'),
  fewer: texts('至少 {n} 项', '至少 {n} 項', 'must have at least {n} entries'),
  more: texts('最多 {n} 项', '最多 {n} 項', 'must have at most {n} entries'),
  less: texts('不能小于 {n}', '不能小於 {n}', 'must not be less than {n}'),
  greater: texts('不能大于 {n}', '不能大於 {n}', 'must not be greater than {n}'),
  above: texts('必须大于 {n}', '必須大於 {n}', 'must be greater than {n}'),
  below: texts('必须小于 {n}', '必須小於 {n}', 'must be less than {n}'),
}

type Raw = z.core.$ZodRawIssue

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): [Texts, unknown] {
  if (origin === 'string') return [minimum === 1 ? reasons.required : reasons.shorter, minimum]
  if (origin === 'array') return [reasons.fewer, minimum]
  return [inclusive ? reasons.less : reasons.above, minimum]
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): [Texts, unknown] {
  if (origin === 'string') return [reasons.longer, maximum]
  if (origin === 'array') return [reasons.more, maximum]
  return [inclusive ? reasons.greater : reasons.below, maximum]
}

/** Of the commonest faults; zod's own words for them are for programmers. null: its words will do. */
function plainly(issue: Raw): [Texts, unknown] | null {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined || issue.input === null) return [reasons.required, '']
    if (issue.expected === 'int') return [reasons.whole, '']
    return issue.expected === 'number' ? [reasons.number, ''] : null
  }
  if (issue.code === 'too_small') return tooSmall(issue as unknown as z.core.$ZodIssueTooSmall)
  if (issue.code === 'too_big') return tooBig(issue as unknown as z.core.$ZodIssueTooBig)
  if (issue.code === 'custom') return [reasons.format, '']
  return issue.code === 'invalid_format' && issue['format'] === 'regex' ? [reasons.format, ''] : null
}

/** What zod calls an error map. */
export const reasonIn = (language: Language) => (issue: Raw) => {
  const plain = plainly(issue)
  if (plain === null) return zodErrors[language].localeError(issue)
  const [text, n] = plain
  return text[language].replace('{n}', String(n))
}

/** No declared body is nearly so deep; a hostile one would exhaust the stack. */
const DEPTH_MAX = 32

/** Where a text hides U+0000 or half a surrogate pair: legal in JSON, refused by PostgreSQL. null: nowhere. */
function unstorable(value: unknown, path: string, depth = 0): string | null {
  if (depth > DEPTH_MAX) refuse(refusals.invalid, { field: 'body', reason: `> ${DEPTH_MAX}` }, 'body')
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, entry] of Object.entries(value)) {
    const found = unstorable(entry, path === '' ? name : `${path}.${name}`, depth + 1)
    if (found !== null) return found
  }
  return null
}

function withoutBlanks({ blanks }: Call, input: unknown): unknown {
  if (blanks.length === 0 || typeof input !== 'object' || input === null) return input
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => (value !== '' && value !== null) || !blanks.includes(name),
    ),
  )
}

/** Parses a body in the user's language. @throws Refusal naming the first field at fault. */
export function parseBody(call: Call, input: unknown, language: Language): unknown {
  const hidden = unstorable(input, '')
  if (hidden !== null) refuse(refusals.invalid, { field: hidden, reason: 'U+0000' }, hidden)
  const parsed = call.body.safeParse(withoutBlanks(call, input), { error: reasonIn(language) })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field = issue?.path.map(String).join('.') || 'body'
  refuse(refusals.invalid, { field, reason: issue?.message ?? '' }, field)
}
