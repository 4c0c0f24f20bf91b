/** Configuration changes for many devices. The workers build the documents of each device when its turn comes. */
import { seal } from '#infra/secrets'
import { commandBook, kindNamed } from '#infra/task-kinds'
import { applyConfig } from '#schema/config/commands/config'
import { applyMany, getChangeImpact, getConfigValues, previewMany } from '#schema/config/config-many'
import { trialS } from '#schema/config/config-page'
import { configRefusals } from '#schema/config/config-refusals'
import type { ManyChange, PageValues } from '#schema/config/many-change'
import { maskValues } from '#schema/config/mask-values'
import { formOfPage, offerOf, pageList, pageNamed } from '#schema/config/page-list'
import { refuse } from '#schema/kit/refusal'
import { configKind } from '#schema/task/kinds/config'
import { groupLeftOut } from '#schema/task/task-target'
import { type CallContext, handler } from '../kit/handler.ts'
import { ownerOf } from '../task/create-task.ts'
import { type Candidate, checkTarget, type Target } from '../task/file-target.ts'
import { addDeviceTask, groupByReason } from '../task/file-task.ts'
import { impactOn } from './change-impact.ts'
import { loadConfig, offerTo } from './load-config.ts'
import { checkPages } from './page-values.ts'
import { versionOf } from './versions.ts'

/**
 * Why a device cannot get these pages; null: it can. If it has not reported its configuration yet, it is waited for.
 */
const hindrance = (pages: readonly string[]) => (device: Candidate) => {
  if (device.revoked) return 'revoked' as const
  const traits = { abilities: new Set(device.abilities ?? []), model: device.model }
  const offers = pages.map((name) => {
    const page = pageNamed(name) ?? refuse(configRefusals.pageUnknown, {}, 'pages')
    return offerOf(page, { level: device.configLevel, isRead: true, traits })
  })
  if (device.configLevel === null || offers.includes('oldVersion')) return 'versionUnsupported' as const
  return offers.includes('lacking') ? ('unsupported' as const) : null
}

const sizeUp = (ctx: CallContext, target: Target, pages: readonly string[]) =>
  checkTarget(ctx, target, hindrance(pages))

/** Fills in the secrets of the device that the values were read from. */
async function given(
  ctx: CallContext,
  body: { pages: PageValues; fromId?: number | undefined },
): Promise<PageValues> {
  const from = body.fromId === undefined ? null : await loadConfig(ctx)
  return checkPages(ctx, body.pages, (name) => {
    const page = pageNamed(name)
    return from && page ? page.read(from.doc, from.traits) : {}
  })
}

const changeOf = (by: ManyChange['by'], pages: PageValues, confirmS?: number): ManyChange =>
  by === 'templates' ? { by, confirmS } : { by, pages, confirmS }

export const getConfigValuesHandler = handler(getConfigValues, async (ctx, { which }) => {
  const config = await loadConfig(ctx)
  const doc = versionOf(ctx, config, which)
  const pages = pageList.filter((page) => offerTo(page, config) === 'yes')
  return {
    pages: Object.fromEntries(
      pages.map((page) => [page.name, maskValues(formOfPage(page), page.read(doc, config.traits))]),
    ),
  }
})

export const previewManyHandler = handler(previewMany, async (ctx, body) => {
  const { eligible, delayed, ineligible } = await sizeUp(ctx, body, body.pages)
  return {
    matching: eligible.length + ineligible.length,
    eligible: eligible.length,
    delayed: groupByReason(delayed),
    leftOut: groupLeftOut(ineligible),
    confirmS: Math.max(0, ...body.pages.map((name) => trialS[pageNamed(name)?.trial ?? 'none'])),
    waitOfflineMinutes: await ctx.parameters.get('upgradeWaitMinutes', ownerOf(ctx, eligible)),
  }
})

export const getChangeImpactHandler = handler(getChangeImpact, async (ctx, body) => {
  const pages = await given(ctx, body)
  const { eligible } = await sizeUp(ctx, body, Object.keys(pages))
  const ids = eligible.map(({ id }) => id)
  return impactOn(ctx, ids, body.after, changeOf(body.by, pages))
})

export const applyManyHandler = handler(applyMany, async (ctx, body) => {
  const pages = await given(ctx, body)
  const names = Object.keys(pages)
  if (body.by === 'values' && Object.values(pages).every((values) => Object.keys(values).length === 0))
    refuse(configRefusals.nothingEdited, {}, 'pages')
  const sized = await sizeUp(ctx, body, names)
  const change = changeOf(body.by, pages, body.confirmS)
  const made = await addDeviceTask(ctx, body, sized, {
    kind: kindNamed(configKind.name),
    command: commandBook.get(applyConfig.name) ?? applyConfig,
    facts: {
      args: {
        by: body.by,
        pages: names,
        change: seal(JSON.stringify(change), ctx.env.JWT_SECRET),
      },
    },
    hold: async () => undefined,
  })
  return { ...made, leftOut: groupLeftOut(sized.ineligible) }
})
