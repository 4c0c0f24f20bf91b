/** The slaves of `npm start`: they live as long as the simulator, and any Modbus master on this machine may read them. */
import type { Log } from '#infra/log'
import type { LibraryTemplate, LibraryVariable } from '#schema/monitor/library/library-template'
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

/** A slave that behaves like the equipment of a template. */
export function slaveOf(template: LibraryTemplate, unit: number): Slave {
  const seed = `${template.key}-${unit}`
  const points = template.variables.map((variable) => pointOf(template, variable))
  return slave(unit, equip(points, seed), [template.vendor, template.models[0] ?? template.key, '1.0'])
}

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
