/** Importing a router's `uci export`. */

import { drafted } from '#infra/config/drafted-config'
import { nameWarnings } from '#infra/config/together-faults'
import { seal } from '#infra/secrets'
import { configRefusals } from '#schema/config/config-refusals'
import { maskValues } from '#schema/config/mask-values'
import { formOfPage, pageList } from '#schema/config/page-list'
import { exportUci, parseUciPackages, type UciDoc, UciFault } from '#schema/config/uci'
import { abilitiesOf } from '#schema/config/uci-abilities'
import { diffUci, unmaskDoc } from '#schema/config/uci-diff'
import { compareUci, IMPORTED, importUci, readUci } from '#schema/config/uci-import'
import { withImported } from '#schema/config/uci-merge'
import { NO_EDITION } from '#schema/kit/edition'
import { refuse } from '#schema/kit/refusal'
import { configDrafts } from '#schema/tables/config'
import { type CallContext, handler } from '../kit/handler.ts'
import { refuseEdited } from './config-page.ts'
import { documentValues } from './document-values.ts'
import { type DeviceConfig, loadConfig, loadDrafts, offerTo } from './load-config.ts'
import { changedPages, type ImportedTexts } from './load-edits.ts'
import { shownChanges } from './shown-changes.ts'

/** @throws Refusal naming line and reason, as the router would */
function parsed(uciText: string): UciDoc {
  try {
    const packages = parseUciPackages(uciText)
    if (packages.length === 0) refuse(configRefusals.uciEmpty, {}, 'uciText')
    return Object.fromEntries(packages.map((one) => [one.name, one]))
  } catch (error) {
    if (!(error instanceof UciFault)) throw error
    const { line, reason } = error
    return refuse(configRefusals.uciRefused, { line, reason }, 'uciText')
  }
}

/** Managed packages: those that the device reports, and those that its pages could add. */
function managedBy(config: DeviceConfig): ReadonlySet<string> {
  const pages = pageList.filter((page) => offerTo(page, config) === 'yes')
  return new Set([...Object.keys(config.row?.packages ?? {}), ...pages.flatMap((page) => page.packages)])
}

/**
 * The packages of a text that the device supports. @throws Refusal if there are none, or a mask has no secret behind it
 */
function takenFrom(config: DeviceConfig, uciText: string, merge: boolean) {
  if (config.row?.document == null) refuse(configRefusals.unread)
  const given = parsed(uciText)
  const managed = managedBy(config)
  const mine = Object.fromEntries(Object.entries(given).filter(([name]) => managed.has(name)))
  if (Object.keys(mine).length === 0)
    refuse(configRefusals.unmanaged, { names: Object.keys(given).join(', ') }, 'uciText')
  const { doc, lacking } = unmaskDoc(mine, config.doc)
  if (lacking !== null) refuse(configRefusals.maskUnknown, { place: lacking }, 'uciText')
  const base = withImported(config.doc, doc, merge)
  const outcomeOf = (name: string) => {
    const [before, after] = [config.doc[name], base[name]]
    if (!managed.has(name)) return 'unmanaged' as const
    return before && after && exportUci(before) === exportUci(after)
      ? ('same' as const)
      : ('changes' as const)
  }
  return {
    doc,
    base,
    packages: Object.keys(given).map((name) => ({ name, outcome: outcomeOf(name) })),
  }
}

/** A previously imported text that is not applied yet. */
const formerImport = async (ctx: CallContext, config: DeviceConfig, db = ctx.db) =>
  (await loadDrafts(ctx, config, db)).find(({ page }) => page === IMPORTED)

export const compareUciHandler = handler(compareUci, async (ctx, { uciText, merge }) => {
  const config = await loadConfig(ctx)
  const { base, packages } = takenFrom(config, uciText, merge)
  const pages = changedPages(config, base)
  const edited = pages.map(({ page }) => ({ page: page.name, changes: {} }))
  return {
    packages,
    fields: pages.flatMap(({ page, fields, before, after }) => {
      const form = formOfPage(page)
      const [old, now] = [maskValues(form, before), maskValues(form, after)]
      return fields.map((name) => ({ page: page.name, name, before: old[name], after: now[name] }))
    }),
    uci: shownChanges(diffUci(config.doc, base)).map(({ difference: _, ...change }) => change),
    faults: drafted({ ...config, base }, edited, ctx.language).faults,
    warnings: nameWarnings(config, base, ctx.language),
    edition: (await formerImport(ctx, config))?.edition ?? NO_EDITION,
  }
})

export const importUciHandler = handler(importUci, async (ctx, { uciText, merge, edition }) => {
  const now = ctx.now()
  const packages = await ctx.db.transaction(async (tx) => {
    const config = await loadConfig(ctx, tx, true)
    const former = await formerImport(ctx, config, tx)
    if (edition !== undefined && edition !== (former?.edition ?? NO_EDITION)) refuseEdited(ctx, former, {})
    const taken = takenFrom(config, uciText, merge)
    const fields = taken.packages.flatMap(({ name, outcome }) => (outcome === 'changes' ? [name] : []))
    if (fields.length === 0) refuse(configRefusals.nothingEdited, {}, 'uciText')
    const texts = Object.fromEntries(
      fields.map((name) => [name, exportUci(taken.doc[name] ?? { name, sections: [] })]),
    )
    const values = {
      customerId: config.device.customerId,
      changes: seal(JSON.stringify({ texts, merge } satisfies ImportedTexts), ctx.env.JWT_SECRET),
      fields,
      updatedBy: ctx.actor.userId,
      updatedAt: now,
      sentRevision: null,
    }
    await tx
      .insert(configDrafts)
      .values({ deviceId: config.device.id, page: IMPORTED, ...values })
      .onConflictDoUpdate({ target: [configDrafts.deviceId, configDrafts.page], set: values })
    ctx.note({ after: { packages: fields.join(', ') } })
    return taken.packages
  })
  return { packages }
})

export const readUciHandler = handler(readUci, async (_ctx, { uciText }) => {
  const doc = parsed(uciText)
  const traits = { abilities: abilitiesOf(doc), model: null }
  const known = new Set(pageList.flatMap((page) => page.packages))
  return {
    pages: documentValues(doc, traits),
    unknown: Object.keys(doc).filter((name) => !known.has(name)),
  }
})
