/** The inputs and outputs of a simulated gateway, at the addresses defined in docs/protocol.md. */
import { encode } from '#schema/monitor/modbus/encode'
import { wordsOfBytes } from '#schema/monitor/modbus/pack'
import { interfacePoint } from '#schema/monitor/plan/interfaces'
import type { Outputs } from '../config/outputs.ts'
import type { GatewayPart } from './gateway-part.ts'
import { valueAt } from './live-value.ts'
import { type Held, Registers, settable } from './registers.ts'
import { type Slave, slave } from './slave.ts'

const ANALOG_INPUTS = 2
const DIGITAL_OUTPUTS = 2

type Owner = Pick<GatewayPart, 'sn' | 'now'> & { readonly outputs: Outputs }
type Asked = Parameters<typeof interfacePoint>[0]

const words = (type: 'float32' | 'uint32', value: number): number[] => {
  const made = encode({ type, order: 'ABCD' }, value)
  return 'bytes' in made ? wordsOfBytes(made.bytes) : [0, 0]
}

/** What is built in and connected to it: relays as configured, two contacts, two sensors of 4 to 20 mA. */
export function ownInterfaces(part: Owner): Slave {
  const { sn, outputs } = part
  const registers = new Registers()
  const put = (ioController: Asked['ioController'], number: number, held: Held, pulses = false) => {
    const functionType = pulses ? ('counter' as const) : undefined
    const point = interfacePoint({ ioController, functionType, interfaceNumber: number })
    if (point) registers.put(point.registerType, point.address, held)
  }
  const drifting = (name: string, unit: string, kind: 'gauge' | 'counter') =>
    valueAt({ name, unit, kind }, sn, part.now())
  for (let i = 0; i < outputs.contacts; i++) {
    put('digitalInput', i + 1, { words: () => [outputs.contact(i) ? 1 : 0] })
    const pulses = () => Math.floor(drifting(`DI${i + 1}`, 'L', 'counter')) % 2 ** 32
    put('digitalInput', i + 1, { words: () => words('uint32', pulses()) }, true)
  }
  for (const [i, name] of outputs.names.entries())
    put('relay', i + 1, {
      words: () => [outputs.list().find((io) => io.name === name)?.on ? 1 : 0],
      write: (_, word) => void outputs.switch(name, word !== 0),
    })
  for (let n = 1; n <= DIGITAL_OUTPUTS; n++) put('digitalOutput', n, settable([0]))
  for (let n = 1; n <= ANALOG_INPUTS; n++)
    put('analogInput', n, { words: () => words('float32', Math.fround(drifting(`AI${n}`, 'mA', 'gauge'))) })
  return slave(0, registers, ['Simulated', 'own interfaces', '1.0'])
}
