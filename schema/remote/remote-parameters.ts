import { parameter } from '../kit/parameter.ts'

/** How long sessions of remote operation last. */
export const remoteParameters = {
  remoteIdleMinutes: parameter('parameter:description.remoteIdleMinutes', {
    unit: 'minutes',
    initial: 15,
    min: 1,
    max: 240,
    perCustomer: true,
  }),
  remoteMaxMinutes: parameter('parameter:description.remoteMaxMinutes', {
    unit: 'minutes',
    initial: 60,
    min: 5,
    max: 720,
    perCustomer: true,
  }),
  remoteApprovalMinutes: parameter('parameter:description.remoteApprovalMinutes', {
    unit: 'minutes',
    initial: 60,
    min: 5,
    max: 1440,
    perCustomer: true,
  }),
  recordingMaxMb: parameter('parameter:description.recordingMaxMb', {
    unit: 'megabytes',
    initial: 50,
    min: 1,
    max: 1000,
  }),
} as const
