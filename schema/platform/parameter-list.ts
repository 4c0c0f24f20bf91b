/** The declared parameters: integers with bounds and a unit, named `parameter:name.<key>`. */
import { type Parameter, parameter } from '../kit/parameter.ts'
import { remoteParameters } from '../remote/remote-parameters.ts'
import { deadlineParameters } from '../task/deadline-parameters.ts'
import { retentionParameters } from './retention-parameters.ts'
import { sendParameters } from './send-parameters.ts'

export const parameters = {
  sessionHours: parameter('parameter:description.sessionHours', {
    unit: 'hours',
    initial: 12,
    min: 1,
    max: 720,
    perCustomer: true,
  }),
  loginFailures: parameter('parameter:description.loginFailures', {
    unit: 'times',
    initial: 5,
    min: 3,
    max: 20,
  }),
  loginPauseS: parameter('parameter:description.loginPauseS', {
    unit: 'seconds',
    initial: 30,
    min: 5,
    max: 900,
  }),
  upgradeWaitMinutes: parameter('parameter:description.upgradeWaitMinutes', {
    unit: 'minutes',
    initial: 15,
    min: 0,
    max: 10_080,
    perCustomer: true,
  }),
  approvalWaitHours: parameter('parameter:description.approvalWaitHours', {
    unit: 'hours',
    initial: 72,
    min: 1,
    max: 720,
    perCustomer: true,
  }),
  commandWaitS: parameter('parameter:description.commandWaitS', {
    unit: 'seconds',
    initial: 60,
    min: 10,
    max: 3600,
    perCustomer: true,
  }),
  heartbeatMaxS: parameter('parameter:description.heartbeatMaxS', {
    unit: 'seconds',
    initial: 1200,
    min: 300,
    max: 1800,
  }),
  offlineGraceS: parameter('parameter:description.offlineGraceS', {
    unit: 'seconds',
    initial: 30,
    min: 0,
    max: 3600,
    perCustomer: true,
  }),
  ...remoteParameters,
  ...sendParameters,
  ...deadlineParameters,
  ...retentionParameters,
} as const satisfies Record<string, Parameter>
export type ParameterKey = keyof typeof parameters
