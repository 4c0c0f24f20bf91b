import { getDeviceSections, sectionNames } from '#schema/device/section'
import type { ReplyOf } from '#schema/kit/call'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'

type Sections = ReplyOf<typeof getDeviceSections>

export const getDeviceSectionsHandler = handler(getDeviceSections, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const rows = await ctx.sql<{ name: string; at: Date; value: unknown }[]>`
    select name, at, value from device_sections where device_id = ${device.id} and at >= ${device.since}`
  const byName = new Map(rows.map(({ name, at, value }) => [name, { at, value }]))
  return Object.fromEntries(
    sectionNames.map((name) => [name, byName.get(name) ?? null]),
  ) as unknown as Sections
})
