import { and, eq } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { isDecimal } from '#schema/kit/rules'
import { writeVariable } from '#schema/monitor/commands/write-variable'
import { isModbus } from '#schema/monitor/fields'
import { writeRequest } from '#schema/monitor/modbus/encode'
import { unscaled } from '#schema/monitor/modbus/scale'
import { rawBounds } from '#schema/monitor/modbus/shape'
import { lineOf, ownLine } from '#schema/monitor/plan/compile'
import { interfacePoint } from '#schema/monitor/plan/interfaces'
import { setVariableValue, variableWriteRefusals } from '#schema/monitor/variable-write'
import { variableLatest } from '#schema/tables/collection'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { orderDevice } from '../command/order-command.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

type Named = { deviceId: number; terminalId: number; variableId: number }

/** @throws Refusal if the terminal is no longer behind this gateway, or the variable no longer in its template */
async function reachVariable({ db, actor }: CallContext, { deviceId, terminalId, variableId }: Named) {
  const newest = and(eq(variableLatest.terminalId, terminals.id), eq(variableLatest.slot, variables.slot))
  const [found] = await db
    .select({
      terminal: terminals,
      template: collectionTemplates,
      variable: variables,
      latest: variableLatest.value,
    })
    .from(terminals)
    .innerJoin(devices, eq(devices.id, terminals.deviceId))
    .innerJoin(collectionTemplates, eq(collectionTemplates.id, terminals.templateId))
    .innerJoin(variables, eq(variables.templateId, collectionTemplates.id))
    .leftJoin(variableLatest, newest)
    .where(
      and(
        visible(actor).devices,
        eq(terminals.deviceId, deviceId),
        eq(terminals.id, terminalId),
        eq(variables.id, variableId),
      ),
    )
  return found ?? refuse(variableWriteRefusals.writtenVariableGone)
}
type Variable = Awaited<ReturnType<typeof reachVariable>>['variable']

/** The raw value of `value`. @throws Refusal with the bound that it violates */
function rawOf(
  { dataType: type, min, max, factor, addend, length, unit }: Variable,
  value: string,
): number | string {
  if (type === 'text') return value
  const number = Number(value)
  if (!isDecimal(value) || !Number.isFinite(number))
    refuse(variableWriteRefusals.variableNotNumber, {}, 'value')
  // "-" means no unit.
  const said = (bound: number) => (unit === '-' ? `${bound}` : `${bound} ${unit}`)
  if (min !== null && number < min) refuse(variableWriteRefusals.variableTooLow, { min: said(min) }, 'value')
  if (max !== null && number > max) refuse(variableWriteRefusals.variableTooHigh, { max: said(max) }, 'value')
  const isInteger = rawBounds({ type, ...(length !== null && { length }) }) !== null
  const raw = unscaled(value, { factor, addend }, isInteger)
  if (!raw) return refuse(variableWriteRefusals.variableNotNumber, {}, 'value')
  if ('raw' in raw) return raw.raw
  const [below, above] = raw.offGrid
  return refuse(variableWriteRefusals.variableOffGrid, { below, above }, 'value')
}

export const setVariableValueHandler = handler(setVariableValue, async (ctx, body) => {
  const { terminal, template, variable, latest } = await reachVariable(ctx, body)
  const { access, bit, length, dataType, name } = variable
  const own = interfacePoint(variable)
  const { registerType, address } = own ?? variable
  if (access === 'read' || address === null || (registerType !== 'coil' && registerType !== 'holding'))
    return refuse(variableWriteRefusals.variableReadOnly, { name })
  // It has no slave to write to, or no device that could write.
  if (terminal.protocol === 'source' || (!own && !isModbus(terminal.protocol)))
    return refuse(variableWriteRefusals.variableReadOnly, { name })
  const line = own ? ownLine : lineOf(terminal, template)
  // Slave 0 of a serial line is the broadcast address.
  if (terminal.slaveId === 0 && (line.kind === 'rtu' || line.kind === 'rtuTcp'))
    refuse(variableWriteRefusals.variableToAll)
  const value = rawOf(variable, body.value)
  const shape = {
    type: dataType,
    order: own ? ('ABCD' as const) : (variable.byteOrder ?? template.byteOrder),
    ...(bit !== null && { bit }),
    ...(length !== null && { length }),
  }
  if ('fault' in writeRequest({ registerType, address, shape }, value))
    refuse(variableWriteRefusals.variableNotHeld, {}, 'value')
  const { commandId } = await orderDevice(ctx, writeVariable, {
    ...line,
    ...shape,
    unit: own ? 0 : (terminal.slaveId ?? 0),
    timeoutMs: template.timeoutMs,
    table: registerType,
    address,
    value,
    multiple: false,
    readable: access === 'readWrite',
  })
  const what = `${terminal.name} / ${name}`
  ctx.note({
    before: { variable: what, value: latest },
    after: { variable: what, value: dataType === 'text' ? body.value : Number(body.value) },
  })
  return { commandId }
})
