/** The workers room: processors of every declared job and every declared report. */
import type { Context } from '#infra/context'
import { gatherDeclared, gatherSubjects, mismatch } from '#infra/gather'
import { mailWay } from '#infra/mail'
import { runWorker } from '#infra/queue'
import { openDeviceLine } from '#infra/service-mqtt'
import { wrongKinds } from '#infra/task-kinds'
import { isJob } from '#schema/kit/job'
import { isUplink } from '#schema/kit/message'
import { maintainPartitions } from '#schema/platform/upkeep'
import { markWork } from '#schema/platform/work'
import { checkObservers } from './alarm/observe.ts'
import { wakeAlarms } from './alarm/wake-alarms.ts'
import { isProcessor } from './kit/processor.ts'
import { isReport } from './kit/report.ts'
import { carriers } from './task/carriers.ts'

export type Workers = {
  /** Jobs finished since the start, by name. */
  processed: ReadonlyMap<string, number>
  close(): Promise<void>
}

/**
 * @throws if a declared job or report does not have exactly one processor, or the database does not respond.
 */
export async function startWorkers(context: Context): Promise<Workers> {
  const processors = await gatherSubjects(new URL('./', import.meta.url), isProcessor)
  const reports = await gatherSubjects(new URL('./', import.meta.url), isReport)
  const jobs = await gatherDeclared(isJob)
  const uplinks = (await gatherDeclared(isUplink)).filter((uplink) => uplink.class === 'report')
  const wrong = [
    ...mismatch(names(jobs), names(processors.map((found) => found.job))).map((text) => `job ${text}`),
    ...mismatch(names(uplinks), names(reports.map((found) => found.uplink))).map((text) => `report ${text}`),
  ]
  wrong.push(...wrongKinds(carriers.map(({ by }) => by)))
  if (wrong.length > 0) throw new Error(`workers and declarations do not match: ${wrong.join('; ')}`)
  checkObservers()
  await context.sql`select 1`
  if (mailWay(context.env) === 'missing') context.log.error('SMTP_URL is not set: every mail will fail')
  const line = openDeviceLine(context.env, 'workers')
  const ctx = { ...context, line }
  const running = await runWorker(
    { databaseUrl: context.databaseUrl, redisUrl: context.env.REDIS_URL },
    processors.map(({ job, run }) => ({ job, run: (body: unknown) => run(ctx, body) })),
    context.log,
  )
  const waked = await wakeAlarms(context)
  // Once at every start, not only an hour later: after days of downtime there are partitions to create.
  await context.queue.add(maintainPartitions, {})
  await context.queue.add(markWork, {})
  return {
    processed: running.processed,
    close: async () => {
      await waked.close()
      await running.close()
      await line.close()
    },
  }
}

const names = (declared: readonly { name: string }[]) => declared.map(({ name }) => name)
