import { eq } from 'drizzle-orm'
import { drafted } from '#infra/config/drafted-config'
import { getConfigText, getDeviceConfig } from '#schema/config/device-config'
import { pageList } from '#schema/config/page-list'
import { exportUci } from '#schema/config/uci'
import { maskDoc } from '#schema/config/uci-diff'
import type { Language } from '#schema/kit/refusal'
import { deviceConfigs } from '#schema/tables/config'
import { deviceStates, devices } from '#schema/tables/device'
import { taskItems } from '#schema/tables/task'
import { handler } from '../kit/handler.ts'
import { knownAt } from './known-at.ts'
import { type DeviceConfig, loadConfig, offerTo } from './load-config.ts'
import { type Edits, loadEdits } from './load-edits.ts'
import { firmwareByPage } from './since-firmware.ts'
import { versionOf } from './versions.ts'

/** `@rule[3]`: the fourth of its type. */
const asList = (section: string) => section.replace(/\[\d+\]$/, '')

/** The field that the device refused: of the first page that has the named option; rows are those of the drafts. */
function refusedField(config: DeviceConfig, { base, drafts }: Edits, language: Language) {
  const fault = config.row?.fault
  if (!fault) return null
  const { package: of, section = '', option = null } = fault
  const where = { place: [of, section, option].filter(Boolean).join('.'), reason: fault.reason }
  const { after } = drafted({ ...config, base }, drafts, language)
  const known = pageList
    .filter(({ packages }) => packages.includes(of))
    .flatMap((page) =>
      Object.entries(page.places(after, config.traits)).map(([path, at]) => ({ page, path, at })),
    )
    .filter(({ at }) => at.package === of)
  const at = (where: string, named: string | null) =>
    known.find((one) => one.at.section === where && one.at.option === named)
  // An option that no field shows: its row. A row that is not there any more: its list.
  const found = at(section, option) ?? at(section, null) ?? at(asList(section), null)
  return { page: found?.page.name ?? null, path: found?.path ?? null, ...where }
}

export const getDeviceConfigHandler = handler(getDeviceConfig, async (ctx) => {
  const config = await loadConfig(ctx)
  const { row } = config
  const edits = await loadEdits(ctx, config)
  const { imported } = edits
  const drafts = new Map(edits.drafts.map((draft) => [draft.page, draft]))
  const [item] = row?.lastItemId
    ? await ctx.db
        .select({ taskId: taskItems.taskId })
        .from(taskItems)
        .where(eq(taskItems.id, row.lastItemId))
    : []
  const [known] = await ctx.db
    .select({ at: knownAt(ctx.now()) })
    .from(deviceConfigs)
    .innerJoin(devices, eq(devices.id, deviceConfigs.deviceId))
    .leftJoin(deviceStates, eq(deviceStates.deviceId, deviceConfigs.deviceId))
    .where(eq(deviceConfigs.deviceId, config.device.id))
  const offered = pageList.map((page) => ({ page, offer: offerTo(page, config) }))
  const since = offered.some(({ offer }) => offer === 'oldVersion')
    ? await firmwareByPage(ctx, config.device.model)
    : () => null
  return {
    state: row?.state ?? ('unsupported' as const),
    readAt: known?.at ?? null,
    runningHash: row?.runningHash ?? null,
    revision: row?.revision ?? 0,
    onTrial: row?.pendingRevision != null,
    taskId: item?.taskId ?? null,
    ended: row?.ended ?? null,
    endedAt: row?.endedAt ?? null,
    fault: refusedField(config, edits, ctx.language),
    detail: row?.detail ?? null,
    drift: row?.drift ?? 0,
    pages: offered.map(({ page, offer }) => {
      const draft = drafts.get(page.name)
      return {
        name: page.name,
        offer,
        since: offer === 'oldVersion' ? since(page) : null,
        changed: draft?.fields ?? [],
        changedBy: draft?.by ?? null,
        changedAt: draft?.at ?? null,
      }
    }),
    imported: imported && { packages: imported.fields, by: imported.by, at: imported.at },
  }
})

export const getConfigTextHandler = handler(getConfigText, async (ctx, { which }) => {
  const doc = versionOf(ctx, await loadConfig(ctx), which)
  return { text: Object.values(maskDoc(doc)).map(exportUci).join('\n') }
})
