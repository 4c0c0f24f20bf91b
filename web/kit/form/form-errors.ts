/** Why a value is not accepted, in the user's language: zod's own words are for programmers. */
import type { z } from 'zod'
import { t } from '../i18n.ts'

type Issue = z.core.$ZodIssue

export function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return t('kit:form.required')
    case 'too_small':
      if (issue.origin === 'string')
        return Number(issue.minimum) <= 1
          ? t('kit:form.required')
          : t('kit:form.tooShort', { min: Number(issue.minimum) })
      // An empty list: nothing was chosen.
      if (issue.origin === 'array' && Number(issue.minimum) <= 1) return t('kit:form.required')
      return t('kit:form.tooSmall', { min: Number(issue.minimum) })
    case 'too_big':
      return issue.origin === 'string'
        ? t('kit:form.tooLong', { max: Number(issue.maximum) })
        : t('kit:form.tooBig', { max: Number(issue.maximum) })
    default:
      return t('kit:form.format')
  }
}

/** Empty inputs are absent, not empty texts: an optional field may be left blank. */
export const withoutBlanks = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null))

/** Errors by field, for Mantine's useForm; the schema is the call's own body. */
export function fieldErrors(schema: z.ZodType, values: Record<string, unknown>): Record<string, string> {
  const given = withoutBlanks(values)
  const parsed = schema.safeParse(given)
  if (parsed.success) return {}
  const errors: Record<string, string> = {}
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? '')
    // A choice that was not made is missing, not of a wrong format.
    const missing = issue.path.length === 1 && given[field] === undefined
    errors[field] ??= missing ? t('kit:form.required') : issueText(issue)
  }
  return errors
}

type Declared = {
  name: string
  kind?: string | undefined
  required?: boolean | undefined
  min?: number | undefined
  max?: number | undefined
}

const isBlank = (value: unknown) =>
  value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** What the fields ask beyond the schema: a choice that only some users must make, bounds that depend on the row. */
export function declaredErrors(
  fields: readonly Declared[],
  values: Record<string, unknown>,
): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { name, kind, required, min, max } of fields) {
    const value = values[name]
    if (required && isBlank(value)) errors[name] = t('kit:form.required')
    if (kind !== 'number' || typeof value !== 'number') continue
    if (min !== undefined && value < min) errors[name] = t('kit:form.tooSmall', { min })
    if (max !== undefined && value > max) errors[name] = t('kit:form.tooBig', { max })
  }
  return errors
}
