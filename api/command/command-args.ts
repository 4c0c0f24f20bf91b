import { reasonIn } from '#infra/reason-in'
import { textIn } from '#infra/say'
import type { Command } from '#schema/kit/command'
import { type Language, refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'

/** @throws Refusal invalid, naming the argument */
export function parseArgs(
  command: Command,
  given: Record<string, unknown>,
  language: Language,
): Record<string, unknown> {
  const args = command.args.safeParse(given, { error: reasonIn(language) })
  if (args.success) return args.data as Record<string, unknown>
  const issue = args.error.issues[0]
  const path = (issue?.path ?? []).map(String)
  const label = textIn(language, `command:arg.${command.name}.${path[0]}`) ?? path.join('.')
  return refuse(
    sessionRefusals.invalid,
    { field: label, reason: issue?.message ?? '' },
    ['args', ...path].join('.'),
  )
}
