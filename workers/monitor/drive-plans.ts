import { drivePlans } from '#schema/monitor/collection'
import { processor } from '../kit/processor.ts'
import { compilePlans } from './compile-plans.ts'
import { sendPlans } from './send-plans.ts'

export const drivePlansJob = processor(drivePlans, async (ctx) => {
  const compiled = await compilePlans(ctx)
  return { compiled, sent: await sendPlans(ctx) }
})
