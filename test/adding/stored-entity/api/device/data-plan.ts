import { eq } from 'drizzle-orm'
import {
  addDataPlan,
  dataPlanObject,
  deleteDataPlan,
  getDataPlanList,
  modifyDataPlan,
} from '#schema/device/data-plan'
import { customers } from '#schema/tables/customer'
import { dataPlans } from '#schema/tables/data-plan'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { stored } from '../kit/stored.ts'

const { id, customerId, name, carrier, monthlyMib, remark, updatedAt } = dataPlans

export const storedDataPlan = stored({
  object: dataPlanObject,
  table: dataPlans,
  id,
  name,
  customerId,
  seen: (walls) => walls.own(customerId),
  row: () => ({ id }),
  parts: { main: { table: dataPlans, id, fields: { name, carrier, monthlyMib, remark } } },
})

export const getDataPlanListHandler = listOf(getDataPlanList, storedDataPlan, ({ db }) => ({
  table: dataPlans,
  rows: db
    .select({
      id,
      customerId,
      customerName: customers.name,
      name,
      carrier,
      monthlyMib,
      remark,
      updatedAt,
      edition: editionOf(storedDataPlan.parts.main),
    })
    .from(dataPlans)
    .innerJoin(customers, eq(customers.id, customerId)),
}))

export const addDataPlanHandler = handler(addDataPlan, async (ctx, body) => {
  const [made] = await ctx.db
    .insert(dataPlans)
    .values({ ...body, customerId: ownerOf(ctx) })
    .returning({ id })
  if (!made) throw new Error('insert returned nothing')
  return made
})

export const modifyDataPlanHandler = handler(modifyDataPlan, async (ctx, { id: _, edition, ...fields }) => {
  const found = rowOf(ctx, storedDataPlan)
  await edit(ctx, { opened: edition }, (tx) =>
    tx
      .update(dataPlans)
      .set({ ...fields, remark: fields.remark ?? null, updatedAt: ctx.now() })
      .where(eq(id, found.id)),
  )
  return null
})

export const deleteDataPlanHandler = handler(deleteDataPlan, async (ctx) => {
  await ctx.db.delete(dataPlans).where(eq(id, rowOf(ctx, storedDataPlan).id))
  return null
})
