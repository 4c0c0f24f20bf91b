import { drafted } from '#infra/config/drafted-config'
import { nameWarnings } from '#infra/config/together-faults'
import { reviewConfig } from '#schema/config/device-config'
import { maskValues } from '#schema/config/mask-values'
import { formOfPage, pageNamed } from '#schema/config/page-list'
import { diffUci, maskDoc, uciBatch } from '#schema/config/uci-diff'
import { handler } from '../kit/handler.ts'
import { loadConfig } from './load-config.ts'
import { loadEdits } from './load-edits.ts'
import { reviewedEdits } from './reviewed-edits.ts'
import { shownChanges } from './shown-changes.ts'

export const reviewConfigHandler = handler(reviewConfig, async (ctx) => {
  const config = await loadConfig(ctx)
  const { base, drafts, imported } = await loadEdits(ctx, config)
  const { after, pages, faults, confirmS } = drafted({ ...config, base }, drafts, ctx.language)
  return {
    fields: pages.flatMap(({ draft, before, values }) => {
      const page = pageNamed(draft.page)
      const form = page ? formOfPage(page) : []
      const [old, now] = [maskValues(form, before), maskValues(form, values)]
      return draft.fields.map((name) => ({
        page: draft.page,
        name,
        before: old[name],
        after: now[name],
        by: draft.by,
        at: draft.at,
      }))
    }),
    uci: shownChanges(diffUci(config.doc, after)).map(({ difference: _, ...change }) => change),
    batch: uciBatch(diffUci(maskDoc(config.doc), maskDoc(after))),
    confirmS,
    faults,
    warnings: nameWarnings(config, after, ctx.language),
    reviewed: reviewedEdits(config, { drafts, imported }, after),
  }
})
