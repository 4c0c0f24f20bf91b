/** Reading and editing one page. Edits are kept in a draft that is shared by all users who see the device. */
import { and, eq } from 'drizzle-orm'
import { drafted } from '#infra/config/drafted-config'
import type { Edited, Running } from '#infra/config/edited'
import { rowFields, seenRows } from '#infra/config/seen-rows'
import { sayIn } from '#infra/say'
import { seal } from '#infra/secrets'
import type { ConfigPage, FilledFrom } from '#schema/config/config-page'
import { configRefusals } from '#schema/config/config-refusals'
import {
  discardConfigDraft,
  fillConfigDraft,
  getConfigPage,
  saveConfigDraft,
} from '#schema/config/device-config'
import { bareMask, maskValues, unmaskValues } from '#schema/config/mask-values'
import { formOfPage, pageList } from '#schema/config/page-list'
import { pageEdition, partsOf, withLeftOut, withRowIds } from '#schema/config/row-ids'
import { templateRefusals } from '#schema/config/template-refusals'
import { NO_EDITION } from '#schema/kit/edition'
import { faultText } from '#schema/kit/fault'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import { type Language, refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { configDrafts } from '#schema/tables/config'
import { type CallContext, handler } from '../kit/handler.ts'
import { refuseChoice } from '../kit/refuse-choice.ts'
import { groupAccountValues } from './group-account-values.ts'
import { type Draft, loadConfig, offeredPage, SEEN, type Values } from './load-config.ts'
import { loadEdits } from './load-edits.ts'
import { referableNames } from './referable-names.ts'

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
/** What is to be kept, what the page has now, and the lists of rows that it was opened with; absent: unknown. */
type Seen = { given: Values; running: Values; opened: string | undefined }

/** Another user has saved the page, or imported another text, since: both versions, as for every other edit [decisions/059]. */
export function refuseEdited(
  ctx: CallContext,
  draft: Draft | undefined,
  values: Values,
  edition: string = draft?.edition ?? NO_EDITION,
): never {
  const { at = null } = draft ?? {}
  const say = sayIn(ctx.language)
  const platform = draft?.by === PLATFORM_NAME
  const by = platform ? null : (draft?.by ?? null)
  const moment = at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''
  const who = platform ? say('kit:platformUser') : by
  const changedBy = who ? say('edition:by', { who, at: moment }) : ''
  const conflict = { edition, by, platform, at, now: { values } }
  refuse(editionRefusals.changedMeanwhile, { changedBy }, undefined, conflict)
}

/** Names the draft, and the lists of rows that the page shows. */
const openedOn = (draft: Draft | undefined, rows: string) => pageEdition(draft?.edition ?? NO_EDITION, rows)

/**
 * Rows that were opened, or edited before, on other lists than the page has now are not kept: they would be written to other
 * sections. @throws Refusal 367
 */
function refuseStale(ctx: CallContext, page: ConfigPage, draft: Draft | undefined, seen: Seen): void {
  const { given, running, opened } = seen
  const [field] = rowFields(page, given)
  if (field === undefined) return
  const isKept = draft?.seen === undefined || draft.seen === seenRows(page, draft.changes, running)
  if (isKept && (opened === undefined || opened === seenRows(page, running, running))) return
  refuse(configRefusals.valueRefused, { fault: sayIn(ctx.language)('config:rowsChanged') }, `values.${field}`)
}

/** The faults of one page, given the drafts of the others. */
const faultsOf = (name: string, config: Running, drafts: readonly Edited[], language: Language) =>
  drafted(config, drafts, language)
    .faults.filter(({ page }) => page === name)
    .map(({ path, message }) => ({ path, message }))

export const getConfigPageHandler = handler(getConfigPage, async (ctx, body) => {
  const config = await loadConfig(ctx)
  const page = offeredPage(body.page, config)
  const edits = await loadEdits(ctx, config)
  const { base, drafts } = edits
  const draft = drafts.find((one) => one.page === page.name)
  const running = page.read(config.doc, config.traits)
  const form = formOfPage(page)
  const edited = page.read(base, config.traits)
  const values = { ...edited, ...withLeftOut(form, draft?.changes ?? {}, edited) }
  return {
    running: maskValues(form, running),
    values: maskValues(form, values),
    changed: draft?.fields ?? [],
    changedBy: draft?.by ?? null,
    changedAt: draft?.at ?? null,
    faults: draft ? faultsOf(page.name, { ...config, base }, drafts, ctx.language) : [],
    names: referableNames(page, config, edits, ctx.language),
    edition: openedOn(draft, seenRows(page, edited, edited)),
  }
})

/**
 * Stores edited values of one page; `edition`: the state that the user had opened, undefined to change whatever is
 * there.
 */
const keepDraft = (ctx: CallContext, name: string, values: Values, edition?: string) =>
  ctx.db.transaction(async (tx) => {
    const config = await loadConfig(ctx, tx, true)
    const page = offeredPage(name, config)
    const { base, drafts } = await loadEdits(ctx, config, tx)
    const draft = drafts.find((one) => one.page === page.name)
    const form = formOfPage(page)
    // On top of the imported text.
    const running = page.read(base, config.traits)
    const known = edition === undefined ? null : partsOf(edition)
    if (known && known.draft !== (draft?.edition ?? NO_EDITION))
      refuseEdited(
        ctx,
        draft,
        maskValues(form, draft?.changes ?? {}),
        openedOn(draft, seenRows(page, running, running)),
      )
    refuseStale(ctx, page, draft, { given: values, running, opened: known?.lists })
    const unknown = Object.keys(values).find((field) => !form.some((one) => one.name === field))
    if (unknown !== undefined)
      refuse(
        sessionRefusals.invalid,
        { field: unknown, reason: faultText({ reason: 'unknown' }, sayIn(ctx.language)) },
        `values.${unknown}`,
      )
    const edited = { ...running, ...withLeftOut(form, draft?.changes ?? {}, running) }
    const bare = bareMask(form, values, edited)
    if (bare !== null) refuse(templateRefusals.valueMasked, {}, `values.${bare}`)
    // New rows get ids, so that their secrets are found behind the masks when the page is edited again.
    const given = withRowIds(unmaskValues(form, values, edited))
    const whole = withLeftOut(form, given, running)
    const changes = Object.fromEntries(
      Object.entries(given).filter(([field]) => !same(whole[field], running[field])),
    )
    const fields = Object.keys(changes)
    const others = drafts.filter((one) => one !== draft)
    const all = [...others, ...(fields.length > 0 ? [{ page: page.name, changes }] : [])]
    // A fault of an imported text is reported for the text.
    const [fault] = faultsOf(page.name, { ...config, doc: base }, all, ctx.language)
    if (fault) refuse(configRefusals.valueRefused, { fault: fault.message }, `values.${fault.path}`)
    const where = and(eq(configDrafts.deviceId, config.device.id), eq(configDrafts.page, page.name))
    if (fields.length === 0) await tx.delete(configDrafts).where(where)
    else {
      const row = {
        customerId: config.device.customerId,
        changes: seal(
          JSON.stringify({ ...changes, [SEEN]: seenRows(page, changes, running) }),
          ctx.env.JWT_SECRET,
        ),
        fields,
        updatedBy: ctx.actor.userId,
        updatedAt: ctx.now(),
        sentRevision: null,
      }
      await tx
        .insert(configDrafts)
        .values({ deviceId: config.device.id, page: page.name, ...row })
        .onConflictDoUpdate({ target: [configDrafts.deviceId, configDrafts.page], set: row })
    }
    ctx.note({ after: { page: page.name, fields: fields.join(', ') } })
    return fields
  })

export const saveConfigDraftHandler = handler(saveConfigDraft, async (ctx, body) => ({
  changed: await keepDraft(ctx, body.page, body.values, body.edition),
  faults: [],
}))

const sources: Readonly<Record<FilledFrom, (ctx: CallContext) => Promise<Values>>> = {
  groupAccount: groupAccountValues,
}

const fillable = pageList.filter(({ filledFrom }) => filledFrom).map(({ name }) => name)

export const fillConfigDraftHandler = handler(fillConfigDraft, async (ctx, body) => {
  const config = await loadConfig(ctx)
  const page = offeredPage(body.page, config)
  if (!page.filledFrom) refuseChoice(ctx, 'page', fillable)
  const { drafts } = await loadEdits(ctx, config)
  const edited = drafts.find((one) => one.page === page.name)
  const values = { ...edited?.changes, ...(await sources[page.filledFrom](ctx)) }
  return { changed: await keepDraft(ctx, page.name, values, edited?.edition ?? NO_EDITION) }
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
