/** Parses a body by its declaration; errors are reported in the user's language. */

import type { z } from 'zod'
import { reasonIn } from '#infra/reason-in'
import { sayIn } from '#infra/say'
import type { Call } from '#schema/kit/call'
import { faultText } from '#schema/kit/fault'
import { type Language, refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { notNumber } from './not-number.ts'
import { unknownField } from './unknown-field.ts'

/** The path of a text with U+0000 or a lone surrogate: legal in JSON, refused by PostgreSQL. null: none. */
function unstorable(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, entry] of Object.entries(value)) {
    const found = unstorable(entry, path === '' ? name : `${path}.${name}`)
    if (found !== null) return found
  }
  return null
}

const isBlank = (value: unknown) => value === '' || value === null

function withoutBlanks(blanks: readonly string[], input: unknown): unknown {
  if (blanks.length === 0 || typeof input !== 'object' || input === null) return input
  if (Array.isArray(input)) return input.map((entry) => withoutBlanks(blanks, entry))
  const within = Map.groupBy(
    blanks.filter((path) => path.includes('.')),
    (path) => path.slice(0, path.indexOf('.')),
  )
  const inner = (name: string) => (within.get(name) ?? []).map((path) => path.slice(name.length + 1))
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => !isBlank(value) || !blanks.includes(name))
      .map(([name, value]) => [name, within.has(name) ? withoutBlanks(inner(name), value) : value]),
  )
}

/** Whether nothing was sent there: a number converted from nothing is known to zod only as no number. */
function isAbsent(given: unknown, path: readonly PropertyKey[]): boolean {
  let value = given
  for (const name of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[name]
  return path.length > 0 && (value === undefined || value === null)
}

/** Whether a list is expected there, perhaps as one of several forms. */
const wantsList = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type'
    ? issue.expected === 'array'
    : issue.code === 'invalid_union' && issue.errors.flat().some(wantsList)

/** Parses a body in the user's language. @throws Refusal naming the first invalid field. */
export function parseBody(call: Call, input: unknown, language: Language): unknown {
  const hidden = unstorable(input, '')
  if (hidden !== null) {
    const reason = faultText({ reason: 'format', shape: 'storable' }, sayIn(language))
    refuse(sessionRefusals.invalid, { field: hidden, reason }, hidden)
  }
  const given = withoutBlanks(call.blanks, input)
  const converted = notNumber(call.body, given)
  if (converted !== null)
    refuse(
      sessionRefusals.invalid,
      { field: converted.path, reason: faultText({ reason: converted.reason }, sayIn(language)) },
      converted.path,
    )
  const parsed = call.body.safeParse(given, { error: reasonIn(language) })
  if (parsed.success) {
    const dropped = unknownField(call.body, given)
    if (dropped !== null)
      refuse(
        sessionRefusals.invalid,
        { field: dropped, reason: faultText({ reason: 'unknown' }, sayIn(language)) },
        dropped,
      )
    return parsed.data
  }
  const issue = parsed.error.issues[0]
  const field = issue?.path.map(String).join('.') || 'body'
  // What a rule of ours says of a missing field stays.
  const isMissing = issue !== undefined && issue.code !== 'custom' && isAbsent(given, issue.path)
  const reason = isMissing
    ? faultText({ reason: wantsList(issue) ? 'empty' : 'required' }, sayIn(language))
    : (issue?.message ?? '')
  refuse(sessionRefusals.invalid, { field, reason }, field)
}
