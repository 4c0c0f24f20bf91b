import { eq } from 'drizzle-orm'
import { compareTemplates } from '#schema/config/compare-templates'
import { followTemplates } from '#schema/config/config-template'
import { deviceConfigs } from '#schema/tables/config'
import { configTemplateStates } from '#schema/tables/config-template'
import { storedDevice } from '../device/device-object.ts'
import { rowOf } from '../kit/about.ts'
import { handler } from '../kit/handler.ts'
import { wake } from '../kit/wake-job.ts'
import { lockTemplates } from './config-template.ts'
import { loadConfig } from './load-config.ts'

export const followTemplatesHandler = handler(followTemplates, async (ctx, body) => {
  await ctx.db.transaction(async (tx) => {
    // A comparison that is under way with the fields of before has ended then, and its result is deleted.
    await lockTemplates(tx, rowOf(ctx, storedDevice).customerId)
    const { device, row } = await loadConfig(ctx, tx, true)
    const set = row && Object.hasOwn(row.own, body.page) ? row.own[body.page] : undefined
    const left = (set ?? []).filter((name) => !body.fields.includes(name))
    const { [body.page]: _, ...others } = row?.own ?? {}
    const own = left.length > 0 ? { ...others, [body.page]: left } : others
    await tx.update(deviceConfigs).set({ own }).where(eq(deviceConfigs.deviceId, device.id))
    await tx.delete(configTemplateStates).where(eq(configTemplateStates.deviceId, device.id))
  })
  ctx.note({ after: { page: body.page, fields: body.fields.join(', ') } })
  await wake(ctx, compareTemplates)
  return null
})
