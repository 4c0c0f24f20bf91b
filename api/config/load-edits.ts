/**
 * Edits of a device that are not applied yet: an imported UCI text, and values of pages on top of it. Other calls see
 * an import as edits of the pages that it changes.
 */
import { type ConfigTexts, docOf } from '#infra/config/config-store'
import { pageList } from '#schema/config/page-list'
import type { UciDoc } from '#schema/config/uci'
import { IMPORTED } from '#schema/config/uci-import'
import { withImported } from '#schema/config/uci-merge'
import type { CallContext } from '../kit/handler.ts'
import { type DeviceConfig, type Draft, loadDrafts, offerTo } from './load-config.ts'

export type Edits = {
  /** The document that pages are edited on: the running one, with the imported text. */
  base: UciDoc
  /** Edits of every page whose values differ from the running ones. */
  drafts: Draft[]
  imported: Draft | null
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The packages as stored in the draft of an import. */
export type ImportedTexts = { texts: ConfigTexts; merge: boolean }

/** The pages that an import changes, if the device has them. */
export function changedPages(config: DeviceConfig, base: UciDoc) {
  return pageList.flatMap((page) => {
    if (offerTo(page, config) !== 'yes') return []
    const [before, after] = [page.read(config.doc, config.traits), page.read(base, config.traits)]
    const fields = Object.keys(after).filter((name) => !same(before[name], after[name]))
    return fields.length === 0 ? [] : [{ page, fields, before, after }]
  })
}

export async function loadEdits(
  ctx: CallContext,
  config: DeviceConfig,
  db: Parameters<typeof loadDrafts>[2] = ctx.db,
): Promise<Edits> {
  const all = await loadDrafts(ctx, config, db)
  const imported = all.find(({ page }) => page === IMPORTED) ?? null
  const own = all.filter((draft) => draft !== imported)
  if (!imported) return { base: config.doc, drafts: own, imported }
  const { texts, merge } = imported.changes as ImportedTexts
  const base = withImported(config.doc, docOf(texts), merge)
  const changed = new Map(changedPages(config, base).map((one) => [one.page.name, one]))
  const both = pageList.flatMap((page): Draft[] => {
    const draft = own.find((one) => one.page === page.name)
    const found = changed.get(page.name)
    if (!found) return draft ? [draft] : []
    const values = { ...found.after, ...draft?.changes }
    const fields = Object.keys(values).filter((name) => !same(values[name], found.before[name]))
    // Both change what a form shows, so the later one is its edition.
    const { by, at, edition } = draft && draft.at > imported.at ? draft : imported
    return [{ ...draft, page: page.name, changes: draft?.changes ?? {}, fields, by, at, edition }]
  })
  return { base, drafts: both, imported }
}
