/** Reading and editing one page. What is edited stays in a draft that all who see the device share. */
import { and, eq } from 'drizzle-orm'
import { pageFaults } from '#infra/config/page-faults'
import { sayIn } from '#infra/say'
import { seal } from '#infra/secrets'
import { discardConfigDraft, getConfigPage, saveConfigDraft } from '#schema/config/device-config'
import { maskValues, unmaskValues } from '#schema/config/mask-values'
import { formOfPage } from '#schema/config/page-list'
import { NO_EDITION } from '#schema/kit/edition'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { configDrafts } from '#schema/tables/config'
import { type CallContext, handler } from '../kit/handler.ts'
import { type Draft, loadConfig, offeredPage, type Values } from './load-config.ts'
import { loadEdits } from './load-edits.ts'

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Another user has saved the page, or imported another text, since: both versions, as for every other edit [decisions/059]. */
export function refuseEdited(ctx: CallContext, draft: Draft | undefined, values: Values): never {
  const { by = null, at = null, edition = NO_EDITION } = draft ?? {}
  const moment = at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''
  const told = by ? sayIn(ctx.language)('edition:by', { who: by, at: moment }) : ''
  const conflict = { edition, by, platform: false, at, now: { values } }
  refuse(editionRefusals.changedMeanwhile, { told }, undefined, conflict)
}

export const getConfigPageHandler = handler(getConfigPage, async (ctx, body) => {
  const config = await loadConfig(ctx)
  const page = offeredPage(body.page, config)
  const { base, drafts } = await loadEdits(ctx, config)
  const draft = drafts.find((one) => one.page === page.name)
  const running = page.read(config.doc, config.traits)
  const values = { ...page.read(base, config.traits), ...draft?.changes }
  const form = formOfPage(page)
  return {
    running: maskValues(form, running),
    values: maskValues(form, values),
    changed: draft?.fields ?? [],
    changedBy: draft?.by ?? null,
    changedAt: draft?.at ?? null,
    faults: draft ? pageFaults(page, values, running, { ...config, doc: base }, ctx.language) : [],
    edition: draft?.edition ?? NO_EDITION,
  }
})

export const saveConfigDraftHandler = handler(saveConfigDraft, async (ctx, body) => {
  const now = ctx.now()
  return ctx.db.transaction(async (tx) => {
    const config = await loadConfig(ctx, tx, true)
    const page = offeredPage(body.page, config)
    const { base, drafts } = await loadEdits(ctx, config, tx)
    const draft = drafts.find((one) => one.page === page.name)
    if (body.edition !== undefined && body.edition !== (draft?.edition ?? NO_EDITION))
      refuseEdited(ctx, draft, maskValues(formOfPage(page), draft?.changes ?? {}))
    const form = formOfPage(page)
    // On top of what was imported.
    const running = page.read(base, config.traits)
    const unknown = Object.keys(body.values).find((name) => !form.some((field) => field.name === name))
    if (unknown !== undefined)
      refuse(sessionRefusals.invalid, { field: unknown, reason: '?' }, `values.${unknown}`)
    const given = unmaskValues(form, body.values, { ...running, ...draft?.changes })
    const at = { doc: base, traits: config.traits }
    const [fault] = pageFaults(page, { ...running, ...given }, running, at, ctx.language)
    if (fault) refuse(sessionRefusals.invalid, { field: '', reason: fault.message }, `values.${fault.path}`)
    const changes = Object.fromEntries(
      Object.entries(given).filter(([name, value]) => !same(value, running[name])),
    )
    const fields = Object.keys(changes)
    const where = and(eq(configDrafts.deviceId, config.device.id), eq(configDrafts.page, page.name))
    if (fields.length === 0) await tx.delete(configDrafts).where(where)
    else {
      const values = {
        customerId: config.device.customerId,
        changes: seal(JSON.stringify(changes), ctx.env.JWT_SECRET),
        fields,
        updatedBy: ctx.actor.userId,
        updatedAt: now,
        sentRevision: null,
      }
      await tx
        .insert(configDrafts)
        .values({ deviceId: config.device.id, page: page.name, ...values })
        .onConflictDoUpdate({ target: [configDrafts.deviceId, configDrafts.page], set: values })
    }
    ctx.note({ after: { page: page.name, fields: fields.join(', ') } })
    return { changed: fields, faults: [] }
  })
})

export const discardConfigDraftHandler = handler(discardConfigDraft, async (ctx, body) => {
  const { device } = await loadConfig(ctx)
  const gone = await ctx.db
    .delete(configDrafts)
    .where(
      and(
        eq(configDrafts.deviceId, device.id),
        eq(configDrafts.customerId, device.customerId),
        body.page === undefined ? undefined : eq(configDrafts.page, body.page),
      ),
    )
    .returning({ page: configDrafts.page })
  ctx.note({ before: { pages: gone.map(({ page }) => page).join(', ') } })
  return null
})
