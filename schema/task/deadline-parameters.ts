/**
 * How long each step of a task may last without progress: parameters, so that slow networks can be given more time.
 */
import { type Parameter, parameter } from '../kit/parameter.ts'
import type { ServerKey } from '../kit/words.gen.ts'

const step = (description: ServerKey, initial: number) =>
  parameter(description, { unit: 'seconds', initial, min: 10, max: 7200, perCustomer: true })

export const deadlineParameters = {
  stepSentS: step('parameter:description.stepSentS', 60),
  stepConnectedS: step('parameter:description.stepConnectedS', 60),
  stepDownloadingS: step('parameter:description.stepDownloadingS', 120),
  stepDownloadedS: step('parameter:description.stepDownloadedS', 120),
  stepUpgradingS: step('parameter:description.stepUpgradingS', 600),
  rebootBackS: step('parameter:description.rebootBackS', 300),
} as const satisfies Record<string, Parameter>
