/** A command to many devices: preview and sending. */

import { commandBook, commandOf, deadlinesFor, taskKinds } from '#infra/task-kinds'
import type { ParsedBodyOf } from '#schema/kit/call'
import type { Bulk, Command } from '#schema/kit/command'
import { refuse } from '#schema/kit/refusal'
import type { TaskKind } from '#schema/kit/task-kind'
import { sessionRefusals } from '#schema/people/session-refusals'
import { addTask, previewTask } from '#schema/task/add-task'
import { commandRefusals } from '#schema/task/command-refusals'
import { dispatchTasks } from '#schema/task/task'
import { GUARD_PERCENT } from '#schema/task/task-guard'
import { taskRefusals } from '#schema/task/task-refusals'
import { groupLimit, turnsTakeS } from '#schema/task/task-target'
import { parseArgs } from '../command/command-args.ts'
import { lockAllOrders } from '../command/order-command.ts'
import { checkCount, selectedDevices } from '../device/device-selection.ts'
import { holds } from '../kit/actor.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { nameSome } from '../kit/name-some.ts'
import { refuseChoice } from '../kit/refuse-choice.ts'
import { wake } from '../kit/wake-job.ts'
import { findCommandTargets, groupCounts } from './command-target.ts'
import { approvalUntil, createTask, findByRequestId, ownerOf } from './create-task.ts'
import { addWaves, rolloutPlanner } from './rollout-plan.ts'
import { checkStart, startTime } from './start-time.ts'

type ToMany = { kind: TaskKind; command: Command; bulk: Bulk }

/** How many may get it at once; undefined: in this kind of task it cannot be sent to many. */
const bulkOf = ({ bulk, confirm }: Command, { secondPerson }: TaskKind) =>
  confirm === 'typed' && !secondPerson ? undefined : bulk

/** The kinds that this call creates; those whose command is not for users have calls of their own. */
const kindNames = () =>
  [...taskKinds.values()]
    .filter((kind) => kind.sends.by === 'command' && !commandOf(kind, null)?.platformOnly)
    .map(({ name }) => name)

const commandNames = (kind: TaskKind) =>
  [...commandBook.values()]
    .filter((command) => !command.platformOnly && bulkOf(command, kind))
    .map(({ name }) => name)

/** @throws Refusal invalid, noPermission, notForMany */
function commandToMany(ctx: CallContext, named: { kind: string; command?: string | undefined }): ToMany {
  const kind = taskKinds.get(named.kind)
  if (!kind || !kindNames().includes(kind.name)) refuseChoice(ctx, 'kind', kindNames())
  const command = commandOf(kind, named.command ?? null)
  if (!command || command.platformOnly) refuseChoice(ctx, 'command', commandNames(kind))
  if (!holds(ctx.actor, kind.permission.create ?? command.permission)) refuse(sessionRefusals.noPermission)
  const bulk = bulkOf(command, kind)
  return bulk ? { kind, command, bulk } : refuse(commandRefusals.notForMany, {}, 'command')
}

/** Number of devices in all groups together that may be offline at the same time. */
function awayAtOnce({ atOnce, shareOfGroup }: Bulk, counts: readonly number[]): number {
  const limits = counts.map((count) => Math.min(count, groupLimit(shareOfGroup, count)))
  return Math.min(
    atOnce,
    limits.reduce((sum, limit) => sum + limit, 0),
  )
}

/** Offline devices are waited for instead of being left out. */
const waits = ({ waitOfflineMinutes = 0 }: { waitOfflineMinutes?: number | undefined }) =>
  waitOfflineMinutes > 0

/** A task with waves may take longer than its rounds: then its items do not expire. */
const isPatient = (body: ParsedBodyOf<typeof addTask>) =>
  waits(body) ||
  Boolean(body.waves?.length) ||
  Boolean(body.window) ||
  Boolean(body.retries?.length) ||
  Boolean(body.joinUntil)

export const previewTaskHandler = handler(previewTask, async (ctx, body) => {
  const { kind, command, bulk } = commandToMany(ctx, body)
  const deadlines = await deadlinesFor(kind, { command, args: {} }, ctx.parameters, ctx.actor.customerId)
  const condition = await selectedDevices(ctx, body)
  const { matching, eligible, leftOut } = await findCommandTargets(
    ctx,
    ctx.db,
    command,
    body,
    condition,
    waits(body),
  )
  const counts = groupCounts(eligible)
  return {
    matching,
    eligible: eligible.length,
    leftOut,
    atOnce: awayAtOnce(bulk, counts),
    secondPerson: kind.secondPerson,
    waitS: turnsTakeS(bulk, Math.max(...Object.values(deadlines)), counts),
  }
})

export const addTaskHandler = handler(addTask, async (ctx, body) => {
  const { kind, command, bulk } = commandToMany(ctx, body)
  const args = parseArgs(command, body.args, ctx.language)
  const condition = await selectedDevices(ctx, body)
  const now = ctx.now()
  const startAt = startTime(body.startAt, now)
  const pace = {
    maxInFlight: body.maxInFlight ?? bulk.atOnce,
    maxPerSecond: body.maxPerSecond ?? bulk.perSecond,
    groupShare:
      body.groupSharePercent === undefined ? bulk.shareOfGroup : (body.groupSharePercent ?? 100) / 100,
  }
  const deadlines = await deadlinesFor(kind, { command, args }, ctx.parameters, ctx.actor.customerId)
  const until = await approvalUntil(ctx, kind, body.approval, ctx.actor.customerId)
  const planned = await rolloutPlanner(ctx, body, kind.secondPerson)
  const unlimited = body.maxFailures === undefined && body.maxFailurePercent === undefined
  const { answer, eligible } = await ctx.db.transaction(async (tx) => {
    await lockAllOrders(tx)
    const before = await findByRequestId(tx, ctx, body.requestId)
    if (before) return { answer: before, eligible: null }
    checkStart(body.startAt, now)
    const { matching, eligible, leftOut } = await findCommandTargets(
      ctx,
      tx,
      command,
      body,
      condition,
      waits(body),
    )
    checkCount(body, matching)
    const [reason, ...others] = leftOut.map((left) => left.reason)
    if (eligible.length === 0)
      refuse(
        reason === 'offline' && others.length === 0
          ? commandRefusals.selectedOffline
          : commandRefusals.noneEligible,
      )
    if (kind.secondPerson && body.typedCount !== eligible.length)
      refuse(taskRefusals.taskCountDiffers, { count: eligible.length }, 'typedCount')
    const waitS = turnsTakeS(
      { atOnce: pace.maxInFlight, shareOfGroup: pace.groupShare },
      Math.max(...Object.values(deadlines)),
      groupCounts(eligible),
    )
    const customerId = ownerOf(ctx, eligible)
    const plan = planned(eligible)
    const taskId = await createTask(
      tx,
      ctx,
      { kind, command },
      {
        ...pace,
        ...plan.columns,
        deadlines,
        args,
        customerId,
        name: body.name,
        description: body.description,
        startAt,
        waitOfflineMinutes: body.waitOfflineMinutes ?? Math.ceil(waitS / 60),
        expiresAt: isPatient(body)
          ? null
          : new Date(startAt.getTime() + waitS * 1000 * ctx.env.TASK_DEADLINE_SCALE),
        maxFailures: body.maxFailures ?? null,
        maxFailurePercent: body.maxFailurePercent ?? (unlimited ? GUARD_PERCENT : null),
        slowStart: body.slowStart ?? false,
        requestId: body.requestId ?? null,
        approvalUntil: until,
        matching,
        leftOut,
      },
      eligible.map(({ id }) => id),
      plan.ofDevices,
    )
    await addWaves(tx, taskId, plan)
    return { answer: { taskId, devices: eligible.length, leftOut }, eligible }
  })
  ctx.note({
    after: {
      devices: answer.devices,
      ...(eligible ? { serials: nameSome(eligible.map(({ sn }) => sn)) } : { repeated: true }),
      ...Object.fromEntries(answer.leftOut.map(({ reason, count }) => [reason, count])),
    },
  })
  // A start in the future is found by the schedule: a delayed wake-up would hold back all others until then.
  if (startAt <= now && !until) await wake(ctx, dispatchTasks)
  return answer
})
