/** The names of steps and failures, which depend on the kind of task: an installation in one is a restart in another. */
import { tOr } from '../kit/i18n.ts'

const named = (word: 'step' | 'failure', name: string, kind: string | null | undefined) =>
  tOr(`task:${word}Of.${kind ?? ''}.${name}`, tOr(`task:${word}.${name}`, ''))

/** '' unless it is a step. */
export const stepName = (step: string, kind?: string | null): string => named('step', step, kind)

/** '' unless it is a failure. */
export const failureName = (failure: string, kind?: string | null): string => named('failure', failure, kind)
