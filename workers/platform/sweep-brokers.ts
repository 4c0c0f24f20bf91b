import { sweepLostBrokers } from '#infra/presence'
import { BROKER_LOST_MS, sweepBrokers } from '#schema/platform/upkeep'
import { processor } from '../kit/processor.ts'

export const sweepBrokersJob = processor(sweepBrokers, (ctx) =>
  sweepLostBrokers(ctx.sql, { silentMs: BROKER_LOST_MS }),
)
