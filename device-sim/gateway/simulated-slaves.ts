/** The slaves of `npm start`: they live as long as the simulator, and any Modbus master on this machine may read them. */
import type { Log } from '#infra/log'
import { qualityCode } from '#schema/monitor/fields'
import type { LibraryTemplate, LibraryVariable } from '#schema/monitor/library/library-template'
import { decode } from '#schema/monitor/modbus/decode'
import { bytesOfWords } from '#schema/monitor/modbus/pack'
import { isBitTable, registersOf } from '#schema/monitor/modbus/shape'
import { type StoredValue, storedValue } from '#schema/monitor/scale'
import { simulatedEquipment } from '#schema/monitor/simulated'
import { equip, type Point } from './equipment.ts'
import { type Slave, slave } from './slave.ts'
import { type SlaveServer, startSlaves } from './slave-server.ts'

const pointOf = (template: LibraryTemplate, variable: LibraryVariable): Point => ({
  ...variable,
  name: variable.key,
  type: variable.dataType,
  order: variable.byteOrder ?? template.byteOrder,
  table: variable.registerType,
  addend: 0,
  kind: variable.functionType,
})

/**
 * A slave that behaves like the equipment of a template.
 * @param now ms; the values are those of this moment
 */
export function slaveOf(template: LibraryTemplate, unit: number, now: () => number = Date.now): Slave {
  const seed = `${template.key}-${unit}`
  const points = template.variables.map((variable) => pointOf(template, variable))
  return slave(unit, equip(points, seed, now), [template.vendor, template.models[0] ?? template.key, '1.0'])
}

/**
 * Reads variables of a template from such a slave as a gateway does.
 * @returns a function from slots, which are places in the template's list, to the values as they are stored, in the same order
 */
export function readerOf(
  { registers }: Slave,
  template: LibraryTemplate,
): (slots: readonly number[]) => StoredValue[] {
  const points = template.variables.map((variable) => {
    const { min = null, max = null, precision } = variable
    const point = pointOf(template, variable)
    const { type, factor, addend } = point
    return {
      point,
      length: registersOf(point),
      scale: { slot: 0, type, factor, addend, precision, min, max },
    }
  })
  return (slots) =>
    slots.map((slot) => {
      const { point, length, scale } = points[slot] as (typeof points)[number]
      const words = registers.read(point.table, point.address, length) ?? []
      if (isBitTable(point.table)) return storedValue(scale, words[0] ?? 0, 0)
      const { value, quality } = decode(point, Uint8Array.from(bytesOfWords(words)))
      const { powerAddress } = point
      const power =
        powerAddress === undefined ? 0 : asSigned(registers.read(point.table, powerAddress, 1)?.[0] ?? 0)
      const own = power === 0 ? scale : { ...scale, factor: scale.factor * 10 ** power }
      return storedValue(own, value, qualityCode(quality))
    })
}
const asSigned = (word: number) => (word << 16) >> 16

/**
 * Modbus TCP on `port`, serial frames on the next one. A port that is taken, by another installation for example, is
 * not worth a failed start: there are no slaves then.
 */
export async function startSimulatedSlaves(port: number, log: Log): Promise<readonly SlaveServer[]> {
  const slaves = simulatedEquipment.map(({ unit, template }) => slaveOf(template, unit))
  const servers: SlaveServer[] = []
  try {
    for (const [at, framing] of (['tcp', 'rtu'] as const).entries())
      servers.push(await startSlaves({ framing, slaves, port: port + at }))
  } catch (error) {
    log.warn(
      { port, why: (error as Error).message },
      'no Modbus slaves are simulated: set another SIM_MODBUS_PORT',
    )
  }
  return servers
}
