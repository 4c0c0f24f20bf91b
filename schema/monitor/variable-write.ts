/** Setting a value of equipment from the list of variables. */
import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { storable } from '../kit/list.ts'
import { refusal } from '../kit/refusal.ts'
import { rowId } from '../kit/row-id.ts'
import { variableWritePermission } from './commands/write-variable.ts'

export const variableWriteRefusals = {
  variableReadOnly: refusal(375, 'variable-write:refusal.readOnly'),
  writtenVariableGone: refusal(376, 'variable-write:refusal.gone'),
  variableNotNumber: refusal(377, 'variable-write:refusal.notNumber'),
  variableTooLow: refusal(378, 'variable-write:refusal.tooLow'),
  variableTooHigh: refusal(379, 'variable-write:refusal.tooHigh'),
  variableOffGrid: refusal(385, 'variable-write:refusal.offGrid'),
  variableNotHeld: refusal(386, 'variable-write:refusal.notHeld'),
  variableToAll: refusal(387, 'variable-write:refusal.toAll'),
}

export const setVariableValue = call({
  path: '/api/variable/setVariableValue',
  permission: variableWritePermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary:
    'Has the gateway set a variable of a terminal, once, and read it back. The outcome is in the result of the command.',
  body: z.object({
    deviceId: rowId.describe('the gateway of the terminal'),
    terminalId: rowId,
    variableId: rowId,
    value: storable(z.string().trim().min(1).max(250)).describe('in the unit of the variable'),
  }),
  reply: z.object({ commandId: z.string() }),
})
