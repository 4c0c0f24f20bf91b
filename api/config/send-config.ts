/** Sends a configuration to one device as a task of the engine: whole packages, tried and then confirmed. */
import { eq } from 'drizzle-orm'
import { configChange } from '#infra/config/config-change'
import { commandBook, deadlinesFor, kindNamed } from '#infra/task-kinds'
import { applyConfig } from '#schema/config/commands/config'
import { configRefusals } from '#schema/config/config-refusals'
import type { ConfigFile } from '#schema/config/page-file'
import type { UciDoc } from '#schema/config/uci'
import { refuse } from '#schema/kit/refusal'
import { deviceConfigs } from '#schema/tables/config'
import { taskItems } from '#schema/tables/task'
import { configKind } from '#schema/task/kinds/config'
import type { Transaction } from '../device/end-device-work.ts'
import type { CallContext } from '../kit/handler.ts'
import { createTask } from '../task/create-task.ts'
import type { DeviceConfig } from './load-config.ts'

/** How long a configuration waits for its device to come online. */
const WAIT_OFFLINE_MINUTES = 7 * 24 * 60

/** Read before the transaction, for `deadlines`. */
export const configDeadlines = (ctx: CallContext, customerId: number) =>
  deadlinesFor(
    kindNamed(configKind.name),
    { command: commandBook.get(applyConfig.name) ?? applyConfig, args: {} },
    ctx.parameters,
    customerId,
  )

type Sending = {
  after: UciDoc
  files?: readonly ConfigFile[]
  confirmS: number
  name: string
  deadlines: Awaited<ReturnType<typeof configDeadlines>>
  /** The fields that are set, by page. */
  own?: Record<string, string[]> | null
}

/**
 * What counts as set once a change is kept was computed when it was made, so nothing else may change what is set until it ends.
 * @throws Refusal 345
 */
export function refuseUnderWay({ row }: DeviceConfig): void {
  if (row && (row.itemId !== null || row.pendingRevision !== null)) refuse(configRefusals.underWay)
}

/**
 * @returns the new task @throws Refusal if another change is under way, or nothing would change
 */
export async function sendConfig(
  tx: Transaction,
  ctx: CallContext,
  config: DeviceConfig,
  { after, files = [], confirmS, name, deadlines, own = null }: Sending,
): Promise<{ taskId: number; revision: number }> {
  const { row, device, doc } = config
  if (!row) return refuse(configRefusals.unread)
  refuseUnderWay(config)
  if (row.documentHash !== row.runningHash) refuse(configRefusals.unread)
  const change =
    configChange(row, { doc, after, files, confirmS }, ctx.env.JWT_SECRET) ??
    refuse(configRefusals.nothingEdited)
  const taskId = await createTask(
    tx,
    ctx,
    { kind: kindNamed(configKind.name), command: applyConfig },
    {
      name,
      description: '',
      startAt: ctx.now(),
      waitOfflineMinutes: WAIT_OFFLINE_MINUTES,
      deadlines,
      customerId: device.customerId,
      matching: 1,
      leftOut: [],
      approvalUntil: null,
    },
    [device.id],
    [{ deviceId: device.id, args: change.args, targetHash: change.targetHash }],
  )
  const [item] = await tx.select({ id: taskItems.id }).from(taskItems).where(eq(taskItems.taskId, taskId))
  await tx
    .update(deviceConfigs)
    .set({
      ...change.next,
      nextOwn: own,
      itemId: item?.id ?? null,
      lastItemId: item?.id ?? null,
      fault: null,
      detail: null,
      ended: null,
    })
    .where(eq(deviceConfigs.deviceId, device.id))
  return { taskId, revision: change.next.revision }
}
