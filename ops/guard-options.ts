/** When a task pauses itself: the options of every command that sends something to many devices. */
import type { Command } from 'commander'
import { GUARD_MIN_FAILURES, GUARD_PERCENT } from '#schema/task/task-guard'
import { usage } from './exit.ts'
import { wholeNumber } from './values.ts'

export type GuardOptions = {
  maxFailures?: number
  maxFailurePercent?: number
  guard: boolean
  maxInFlight?: number
}

export const withGuard = (command: Command): Command =>
  command
    .option('--max-failures <devices>', 'pause when so many devices have failed', wholeNumber)
    .option(
      '--max-failure-percent <percent>',
      `pause when so many percent of all devices have failed, or earlier of those tried so far: at least ${GUARD_MIN_FAILURES.few} in a small task and ${GUARD_MIN_FAILURES.many} in one of more than 40 devices; default ${GUARD_PERCENT} unless --max-failures is given`,
      wholeNumber,
    )
    .option('--no-guard', 'never pause, however many fail')
    .option('--max-in-flight <devices>', 'at most so many at the same time', wholeNumber)

/** The limits: those given, or the one that the console proposes too. */
export function guardOf({ guard, maxFailures, maxFailurePercent, maxInFlight }: GuardOptions) {
  const named = maxFailures !== undefined || maxFailurePercent !== undefined
  if (!guard && named) usage('--no-guard forbids --max-failures and --max-failure-percent')
  return {
    ...(named ? { maxFailures, maxFailurePercent } : guard ? { maxFailurePercent: GUARD_PERCENT } : {}),
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
  }
}
