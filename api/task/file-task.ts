/** Creates a task that sends a file, of whichever kind: when it begins, for whom it waits, and its limits. */
import { deadlinesFor, taskKinds } from '#infra/task-kinds'
import type { Command } from '#schema/kit/command'
import { refuse } from '#schema/kit/refusal'
import type { TaskKind } from '#schema/kit/task-kind'
import type { FileTaskBody } from '#schema/task/file-task'
import type { FileType } from '#schema/task/offered-file'
import { dispatchTasks } from '#schema/task/task'
import { isGuarded, TASK_MAX_ACTIVE } from '#schema/task/task-guard'
import { taskRefusals } from '#schema/task/task-refusals'
import { groupLeftOut } from '#schema/task/task-target'
import { checkCount } from '../device/device-selection.ts'
import type { Transaction } from '../device/end-device-work.ts'
import type { CallContext } from '../kit/handler.ts'
import { wake } from '../kit/wake-job.ts'
import { approvalUntil, createTask, findByRequestId, type NewTask, ownerOf } from './create-task.ts'
import type { Sized, Target } from './file-target.ts'
import { addWaves, rolloutPlanner } from './rollout-plan.ts'
import { checkStart, startTime } from './start-time.ts'

/** What the task copies of its file. */
export type FileFacts = Pick<
  NewTask,
  | 'packageId'
  | 'configFileId'
  | 'backupId'
  | 'packageName'
  | 'model'
  | 'version'
  | 'sizeBytes'
  | 'sha256'
  | 'md5'
  | 'signature'
  | 'keepConfig'
  | 'server'
> & { type: FileType }

/** The kind that sends files of this type. @throws if none is declared, which would be a bug */
export function kindFor(type: FileType): TaskKind {
  const found = [...taskKinds.values()].find(({ sends }) => sends.by === 'offer' && sends.fileType === type)
  if (!found) throw new Error(`no task kind sends files of type ${type}`)
  return found
}

type Reason = Parameters<typeof groupLeftOut>[0][number]['reason']

/**
 * `hold`: locks the file's row, so that deleting it waits and then sees the task; refuses if it is gone. @throws
 * Refusal taskNoEligible, taskGrew
 */
export const addFileTask = (
  ctx: CallContext,
  body: FileTaskBody & Target,
  sized: Sized<Reason>,
  file: FileFacts,
  hold: (tx: Transaction) => Promise<void>,
) => addDeviceTask(ctx, body, sized, { kind: kindFor(file.type), command: null, facts: file, hold })

type Sent = {
  kind: TaskKind
  /** Only for kinds that send a file. */
  command: Command | null
  /** What the task copies of what it sends. */
  facts: Partial<NewTask>
  hold: (tx: Transaction) => Promise<void>
}

/** The same for every kind that waits for its devices. */
export async function addDeviceTask(
  ctx: CallContext,
  body: FileTaskBody,
  sized: Sized<Reason>,
  { kind, command, facts, hold }: Sent,
): Promise<{ taskId: number; devices: number }> {
  if (sized.eligible.length === 0) refuse(taskRefusals.taskNoEligible)
  const now = ctx.now()
  const startAt = startTime(body.startAt, now)
  const owner = ownerOf(ctx, sized.eligible)
  const waitOfflineMinutes =
    body.waitOfflineMinutes ?? (await ctx.parameters.get('upgradeWaitMinutes', owner))
  const guard = { maxFailures: body.maxFailures ?? null, maxFailurePercent: body.maxFailurePercent ?? null }
  const matching = sized.eligible.length + sized.ineligible.length
  checkCount(body, matching)
  const deadlines = await deadlinesFor(kind, command && { command, args: {} }, ctx.parameters, owner)
  const plan = (await rolloutPlanner(ctx, body))(sized.eligible)
  const until = await approvalUntil(ctx, kind, body.approval, owner)
  const made = await ctx.db.transaction(async (tx) => {
    await hold(tx)
    const earlier = await findByRequestId(tx, ctx, body.requestId)
    if (earlier) return { taskId: earlier.taskId, devices: earlier.devices, isNew: false }
    checkStart(body.startAt, now)
    const taskId = await createTask(
      tx,
      ctx,
      { kind, command },
      {
        ...guard,
        ...plan.columns,
        ...facts,
        deadlines,
        customerId: owner,
        name: body.name,
        description: body.description,
        startAt,
        waitOfflineMinutes,
        maxInFlight: body.maxInFlight ?? TASK_MAX_ACTIVE,
        maxPerSecond: body.maxPerSecond ?? null,
        groupShare: body.groupSharePercent ? body.groupSharePercent / 100 : null,
        slowStart: body.slowStart ?? isGuarded(guard),
        requestId: body.requestId ?? null,
        approvalUntil: until,
        matching,
        leftOut: groupLeftOut(sized.ineligible),
      },
      sized.eligible.map((device) => device.id),
      plan.ofDevices,
    )
    await addWaves(tx, taskId, plan)
    return { taskId, devices: sized.eligible.length, isNew: true }
  })
  const { taskId, devices } = made
  if (!made.isNew) return { taskId, devices }
  ctx.note({ after: { devices, skipped: sized.ineligible.length } })
  // A start in the future is found by the schedule: a delayed wake-up would hold back all others until then.
  if (startAt <= now && !until) await wake(ctx, dispatchTasks)
  return { taskId, devices }
}

/** How many serial numbers a check names of each reason. */
export const SAMPLE = 5

/** By reason, with some serial numbers. */
export function groupByReason<R extends string>(entries: readonly { sn: string; reason: R }[]) {
  const groups = new Map<R, { reason: R; count: number; sample: string[] }>()
  for (const { sn, reason } of entries) {
    const found = groups.get(reason) ?? { reason, count: 0, sample: [] }
    groups.set(reason, found)
    found.count++
    if (found.sample.length < SAMPLE) found.sample.push(sn)
  }
  return [...groups.values()]
}
