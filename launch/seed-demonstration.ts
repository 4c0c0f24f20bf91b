/** The whole demonstration of a first start, written before anything else is started. */
import type { Context } from '#infra/context'
import type { Env } from '#infra/env'
import { seedDemoAlarms } from './seed-alarms.ts'
import { type Demo, seedDemo } from './seed-demo.ts'
import { seedMonitor } from './seed-monitor.ts'
import { seedNotices } from './seed-notices.ts'
import { seedPast } from './seed-past.ts'

type Settings = Pick<Env, 'SIM_DEVICES' | 'SIM_SEED' | 'SIM_MODBUS_PORT'>

/**
 * In one transaction: a start that is cut off leaves nothing of it, and the next one makes it all, with its users, whose
 * passwords are only shown by the start that makes them. Null: it was deleted, or a customer of that name exists.
 */
export const seedDemonstration = (
  { sql: db, files }: Pick<Context, 'sql' | 'files'>,
  env: Settings,
  say: (line: string) => void,
): Promise<Demo | null> =>
  db.begin(async (sql) => {
    const demo = await seedDemo(sql)
    // Only at the first start: what users delete stays deleted.
    if (!demo?.isNew) return demo
    say('writing the past of the demonstration …')
    await seedDemoAlarms(sql, demo.customerId)
    await seedPast({ sql, files }, demo, env.SIM_DEVICES, env.SIM_SEED)
    await seedMonitor(sql, demo, env.SIM_MODBUS_PORT)
    await seedNotices(sql, demo.customerId)
    return demo
  })
