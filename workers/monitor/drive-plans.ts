import { drivePlans } from '#schema/monitor/collection'
import { processor } from '../kit/processor.ts'
import { sendPlans } from './send-plans.ts'

export const drivePlansJob = processor(drivePlans, async (ctx) => ({ sent: await sendPlans(ctx) }))
