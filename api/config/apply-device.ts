import { and, eq, inArray } from 'drizzle-orm'
import { drafted } from '#infra/config/drafted-config'
import { sayIn } from '#infra/say'
import { configRefusals } from '#schema/config/config-refusals'
import { applyDevice } from '#schema/config/device-config'
import { refuse } from '#schema/kit/refusal'
import { configDrafts } from '#schema/tables/config'
import { dispatchTasks } from '#schema/task/task'
import { lockAllOrders } from '../command/order-command.ts'
import { handler } from '../kit/handler.ts'
import { wake } from '../kit/wake-job.ts'
import { loadConfig } from './load-config.ts'
import { loadEdits } from './load-edits.ts'
import { reviewedEdits } from './reviewed-edits.ts'
import { configDeadlines, sendConfig } from './send-config.ts'

export const applyDeviceHandler = handler(applyDevice, async (ctx, body) => {
  const { device } = await loadConfig(ctx)
  const deadlines = await configDeadlines(ctx, device.customerId)
  const sent = await ctx.db.transaction(async (tx) => {
    await lockAllOrders(tx)
    const config = await loadConfig(ctx, tx, true)
    const { base, drafts, imported } = await loadEdits(ctx, config, tx)
    if (drafts.length === 0 && !imported) refuse(configRefusals.nothingEdited)
    const { after, files, faults, confirmS } = drafted({ ...config, base }, drafts, ctx.language)
    const [fault] = faults
    // Only what somebody has looked at is sent, not what a colleague has begun to edit meanwhile.
    if (body.reviewed !== undefined && body.reviewed !== reviewedEdits(config, { drafts, imported }, after))
      refuse(configRefusals.reviewedOther, {}, 'reviewed')
    if (fault) refuse(configRefusals.faulty, { fault: fault.message }, fault.page || undefined)
    const name = sayIn(ctx.language)('config:taskName', { device: device.sn })
    const done = await sendConfig(tx, ctx, config, {
      after,
      files,
      confirmS: confirmS === 0 ? 0 : (body.confirmS ?? confirmS),
      name: name.slice(0, 64),
      own: Object.fromEntries(drafts.map(({ page, fields }) => [page, fields])),
      deadlines,
    })
    const pages = [...drafts.map(({ page }) => page), ...(imported ? [imported.page] : [])]
    // Drafts are deleted when the device keeps the change; one that is edited meanwhile stays.
    await tx
      .update(configDrafts)
      .set({ sentRevision: done.revision })
      .where(and(eq(configDrafts.deviceId, device.id), inArray(configDrafts.page, pages)))
    return { ...done, pages }
  })
  ctx.note({ after: { revision: sent.revision, pages: sent.pages.join(', ') } })
  await wake(ctx, dispatchTasks)
  return { taskId: sent.taskId }
})
