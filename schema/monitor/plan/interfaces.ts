/**
 * A gateway serves its own inputs and outputs as if they were a Modbus slave [decisions/135], so that they are polled,
 * tested and set like all other variables. The address of each:
 */
import {
  type DataType,
  type FunctionType,
  type IoController,
  interfaceControllers,
  type RegisterType,
} from '../fields.ts'

export type InterfacePoint = { registerType: RegisterType; address: number; type: DataType }
export type InterfaceController = (typeof interfaceControllers)[number]
type Fields = { ioController: IoController; functionType?: FunctionType | undefined }

/** Maximum number of each kind. */
const OF_EACH = 1_000

export const isInterface = (io: IoController): io is InterfaceController =>
  interfaceControllers.some((one) => one === io)

/** What the gateway sends for it: a level, what is measured, or how many pulses there were; null: no interface. */
export function interfaceType({ ioController, functionType }: Fields): DataType | null {
  if (!isInterface(ioController)) return null
  if (ioController === 'analogInput') return 'float32'
  return ioController === 'digitalInput' && functionType === 'counter' ? 'uint32' : 'bool'
}

/** null: no interface of the gateway, or without a number. */
export function interfacePoint(
  fields: Fields & { interfaceNumber?: number | null | undefined },
): InterfacePoint | null {
  const type = interfaceType(fields)
  if (type === null || typeof fields.interfaceNumber !== 'number') return null
  const at = fields.interfaceNumber - 1
  if (type === 'float32') return { registerType: 'input', address: 2 * at, type }
  if (type === 'uint32') return { registerType: 'input', address: OF_EACH + 2 * at, type }
  if (fields.ioController === 'digitalInput') return { registerType: 'discrete', address: at, type }
  return { registerType: 'coil', address: fields.ioController === 'relay' ? OF_EACH + at : at, type }
}

/** Inputs are never set. */
export const isOutput = (io: IoController): boolean => io === 'relay' || io === 'digitalOutput'
