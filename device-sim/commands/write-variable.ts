import { writeVariable } from '#schema/monitor/commands/write-variable'
import { obeys } from '../command.ts'
import { type Target, writeOnce } from '../gateway/write.ts'

export const obeyWriteVariable = obeys(
  writeVariable,
  async (
    part,
    { unit, timeoutMs, table, address, type, order, bit, length, value, multiple, readable, ...line },
  ) => {
    // Slave 0 of a serial line is the broadcast address, to which no slave responds.
    if (unit === 0 && (line.kind === 'rtu' || line.kind === 'rtuTcp'))
      throw new Error('nothing is written to all slaves of a line')
    const shape = { type, order, ...(bit !== undefined && { bit }), ...(length !== undefined && { length }) }
    const target: Target = { unit, timeoutMs, registerType: table, address, shape, multiple, readable }
    const pause = (ms: number) => part.world.wheel.sleep(ms, part.power)
    const ended = await part.collector.buses.take(line, 'command', (ask) =>
      writeOnce(ask, target, value, pause),
    )
    part.note('notice', 'modbus', `write to slave ${unit}, ${table} ${address}: ${ended.outcome}`)
    return ended
  },
)
