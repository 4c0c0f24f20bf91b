/** The state of a device's configuration, as shown in lists, badges and alarms. */
import { z } from 'zod'
import { rowId } from '../kit/row-id.ts'
import { configOutcomes } from './commands/config.ts'

/** How the last change ended; `failed`: without an outcome that the device named. */
export const configEnds = [...configOutcomes, 'failed'] as const
export type ConfigEnd = (typeof configEnds)[number]

/**
 * inStep: as it was set. waiting: a change is in progress or on trial. differs: changed on the device since. refused,
 * reverted: how the last change ended. unread: not yet read. unsupported: the device does not report it.
 */
export const configStates = [
  'inStep',
  'waiting',
  'differs',
  'refused',
  'reverted',
  'unread',
  'unsupported',
] as const
export type ConfigState = (typeof configStates)[number]

/** Of the filter of devices. */
export const configFilter = {
  configState: z.enum(configStates).optional().describe('whether its configuration agrees with what was set'),
  templateId: rowId.optional().describe('for which this configuration template holds'),
}
