/** Differences between what was set and what runs: shown, adopted, overwritten or ignored one by one. */
import { and, eq } from 'drizzle-orm'
import { sealTexts } from '#infra/config/config-store'
import { filesNamed } from '#infra/config/known-files'
import { configHash, packageHash } from '#infra/config-hash'
import { sayIn } from '#infra/say'
import { withDrift } from '#schema/config/adopt-drift'
import { trialS } from '#schema/config/config-page'
import { configRefusals } from '#schema/config/config-refusals'
import { getConfigDrift, revertTrial, settleDrift } from '#schema/config/device-config'
import { driftOf } from '#schema/config/drift'
import { driveConfigs } from '#schema/config/drive-configs'
import { pageList } from '#schema/config/page-list'
import { exportUci, type UciDoc } from '#schema/config/uci'
import { refuse } from '#schema/kit/refusal'
import { deviceConfigs } from '#schema/tables/config'
import { users } from '#schema/tables/user'
import { dispatchTasks } from '#schema/task/task'
import { lockAllOrders } from '../command/order-command.ts'
import type { Transaction } from '../device/end-device-work.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { wake } from '../kit/wake-job.ts'
import { type DeviceConfig, loadConfig } from './load-config.ts'
import { configDeadlines, refuseUnderWay, sendConfig } from './send-config.ts'
import { shownChanges } from './shown-changes.ts'
import { desiredOf } from './versions.ts'

/** If nothing was ever set from here, there is no difference. */
const isSet = ({ row }: DeviceConfig) => row?.desired != null

export const getConfigDriftHandler = handler(getConfigDrift, async (ctx) => {
  const config = await loadConfig(ctx)
  const ignored = config.row?.ignored ?? []
  const [set] = await ctx.db
    .select({
      desiredAt: deviceConfigs.desiredAt,
      desiredBy: knownName(ctx.actor, users, deviceConfigs.desiredBy),
    })
    .from(deviceConfigs)
    .leftJoin(users, eq(users.id, deviceConfigs.desiredBy))
    .where(eq(deviceConfigs.deviceId, config.device.id))
  return {
    changes: isSet(config) ? shownChanges(driftOf(desiredOf(ctx, config), config.doc, new Set(ignored))) : [],
    ignored,
    desiredAt: set?.desiredAt ?? null,
    desiredBy: set?.desiredBy ?? null,
  }
})

/** The longest trial that a page of these packages needs. */
const confirmFor = (packages: ReadonlySet<string>): number =>
  Math.max(
    0,
    ...pageList
      .filter((page) => page.packages.some((name) => packages.has(name)))
      .map(({ trial }) => trialS[trial]),
  )

type Chosen = { config: DeviceConfig; keys: ReadonlySet<string>; desired: UciDoc }

async function keep(tx: Transaction, ctx: CallContext, { config, keys, desired }: Chosen, ignores: boolean) {
  const ignored = [...new Set([...(config.row?.ignored ?? []), ...(ignores ? keys : [])])]
  const docs = { set: desired, running: config.doc }
  const kept = ignores ? desired : withDrift(docs, 'set', (key) => keys.has(key))
  const drift = driftOf(kept, config.doc, new Set(ignored)).length
  const texts = Object.fromEntries(Object.values(kept).map((one) => [one.name, exportUci(one)]))
  // Ignoring sets nothing.
  const set = ignores
    ? {}
    : {
        desired: sealTexts(texts, ctx.env.JWT_SECRET),
        desiredHash: configHash(
          Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, packageHash(text)])),
        ),
        desiredAt: ctx.now(),
        desiredBy: ctx.actor.userId,
      }
  await tx
    .update(deviceConfigs)
    .set({ ignored, drift, ...set })
    .where(eq(deviceConfigs.deviceId, config.device.id))
  return { drift, taskId: null }
}

export const settleDriftHandler = handler(settleDrift, async (ctx, body) => {
  const { device } = await loadConfig(ctx)
  const deadlines = await configDeadlines(ctx, device.customerId)
  const done = await ctx.db.transaction(async (tx) => {
    await lockAllOrders(tx)
    const config = await loadConfig(ctx, tx, true)
    refuseUnderWay(config)
    const desired = desiredOf(ctx, config)
    const now = new Set(isSet(config) ? driftOf(desired, config.doc, new Set()).map(({ key }) => key) : [])
    const missing = body.differences.find((key) => !now.has(key))
    if (missing !== undefined) refuse(configRefusals.driftGone, { place: missing }, 'differences')
    const chosen = { config, desired, keys: new Set(body.differences) }
    if (body.how !== 'overwrite') return keep(tx, ctx, chosen, body.how === 'ignore')
    const docs = { set: desired, running: config.doc }
    const after = withDrift(docs, 'running', (key) => chosen.keys.has(key))
    const packages = new Set(body.differences.map((key) => key.split('.')[0] ?? ''))
    const name = sayIn(ctx.language)('config:taskName', { device: device.sn }).slice(0, 64)
    const confirmS = confirmFor(packages)
    const files = filesNamed(config.row?.files ?? null, config.doc, after, ctx.env.JWT_SECRET)
    const sent = await sendConfig(tx, ctx, config, { after, files, confirmS, name, deadlines })
    return { drift: config.row?.drift ?? 0, taskId: sent.taskId }
  })
  ctx.note({ after: { how: body.how, differences: body.differences.length } })
  if (done.taskId !== null) await wake(ctx, dispatchTasks)
  return done
})

/** Abandons the change in progress: driveConfigs tells the device to roll it back. */
export const revertTrialHandler = handler(revertTrial, async (ctx) => {
  const config = await loadConfig(ctx)
  const revision = config.row?.pendingRevision ?? refuse(configRefusals.noTrial)
  const abandoned = await ctx.db
    .update(deviceConfigs)
    .set({ nextHash: null, answeredAt: null })
    // If it has ended meanwhile, the next change may be under way.
    .where(and(eq(deviceConfigs.deviceId, config.device.id), eq(deviceConfigs.pendingRevision, revision)))
    .returning({ deviceId: deviceConfigs.deviceId })
  if (abandoned.length === 0) refuse(configRefusals.noTrial)
  await wake(ctx, driveConfigs)
  return null
})
