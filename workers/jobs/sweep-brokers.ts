import { sweepLostBrokers } from '#infra/presence'
import { BROKER_LOST_MS, sweepBrokers } from '#schema/upkeep'
import { processor } from '../processor.ts'

export const sweepBrokersJob = processor(sweepBrokers, (ctx) =>
  sweepLostBrokers(ctx.sql, { silentMs: BROKER_LOST_MS }),
)
