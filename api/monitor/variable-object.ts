import { eq, sql } from 'drizzle-orm'
import { AS_TEMPLATE, variableObject } from '#schema/monitor/variable'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { stored } from '../kit/stored.ts'
import { changeableTemplate } from './template/template-object.ts'

const { id, name, templateId } = variables

/** [§5 Variable] Null in the table means the value of the template. */
const byteOrderSaid = sql<
  'template' | 'ABCD' | 'CDAB' | 'BADC' | 'DCBA'
>`coalesce(${variables.byteOrder}, ${AS_TEMPLATE})`

/** The user-visible description of a variable. */
export const variableFields = {
  name,
  unit: variables.unit,
  functionType: variables.functionType,
  access: variables.access,
  ioController: variables.ioController,
  interfaceNumber: variables.interfaceNumber,
  formula: variables.formula,
  registerType: variables.registerType,
  address: variables.address,
  dataType: variables.dataType,
  byteOrder: byteOrderSaid,
  bit: variables.bit,
  length: variables.length,
  noValue: variables.noValue,
  powerAddress: variables.powerAddress,
  factor: variables.factor,
  addend: variables.addend,
  precision: variables.precision,
  min: variables.min,
  max: variables.max,
  reportType: variables.reportType,
  cycleS: variables.cycleS,
  deadband: variables.deadband,
  minIntervalMs: variables.minIntervalMs,
}

export const storedVariable = stored({
  object: variableObject,
  table: variables,
  id,
  name: sql`(select c.name from collection_templates c where c.id = ${templateId}) || ' / ' || ${name}`,
  customerId: sql`(select c.customer_id from collection_templates c where c.id = ${templateId})`,
  seen: (walls) =>
    sql`exists (select 1 from ${collectionTemplates} where ${eq(collectionTemplates.id, templateId)} and ${walls.collectionTemplates})`,
  row: (actor) => ({
    id,
    templateId,
    slot: variables.slot,
    hidden: variables.hidden,
    changeable: changeableTemplate(actor, sql`${templateId}`),
  }),
  parts: {
    main: { table: variables, id, fields: variableFields },
    visibility: { table: variables, id, fields: { hidden: variables.hidden } },
  },
})
