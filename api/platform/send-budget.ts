import { and, eq, gt, sql } from 'drizzle-orm'
import { budgetWaitMs } from '#infra/send-budget'
import { budgetParameters, getSpentBudgets } from '#schema/platform/send-budget'
import { customers } from '#schema/tables/customer'
import { sendBudgets } from '#schema/tables/send-budget'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

export const getSpentBudgetsHandler = handler(
  getSpentBudgets,
  async ({ db, sql: raw, actor, parameters, now }) => {
    const touched = await db
      .select({
        customerId: sendBudgets.customerId,
        customerName: customers.name,
        purpose: sendBudgets.purpose,
      })
      .from(sendBudgets)
      .leftJoin(customers, eq(customers.id, sendBudgets.customerId))
      // A budget refills within an hour, unless more than it was queued.
      .where(
        and(
          visible(actor).sendBudgets,
          gt(sql`${sendBudgets.countedAt} + (${sendBudgets.used} + 1) * interval '1 hour'`, sql`now()`),
        ),
      )
      .orderBy(sendBudgets.customerId, sendBudgets.purpose)
    const list = []
    for (const row of touched) {
      const waitMs = await budgetWaitMs(raw, parameters, row)
      if (waitMs === 0) continue
      const perHour = await parameters.get(budgetParameters[row.purpose], row.customerId)
      list.push({ ...row, perHour, goesOnAt: new Date(now().getTime() + waitMs) })
    }
    return { list }
  },
)
