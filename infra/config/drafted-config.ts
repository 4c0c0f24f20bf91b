/**
 * The configuration that results from edited page values: a device's drafts, a change for many devices, or templates.
 */
import { type ConfigPage, type DeviceTraits, trialS } from '#schema/config/config-page'
import { lintConfig } from '#schema/config/lint'
import type { ConfigFile } from '#schema/config/page-file'
import { formOfPage, pageList } from '#schema/config/page-list'
import { withLeftOut } from '#schema/config/row-ids'
import type { UciDoc } from '#schema/config/uci'
import type { Language } from '#schema/kit/refusal'
import { sayIn } from '../say.ts'
import type { Edited, Running } from './edited.ts'
import { pageFaults, type ShownFault, writableValues } from './page-faults.ts'
import { rowFields, seenRows } from './seen-rows.ts'
import { togetherFaults } from './together-faults.ts'

type Values = Readonly<Record<string, unknown>>
export type Drafted<E extends Edited> = {
  /** Without the pages that have faults. */
  after: UciDoc
  /** The whole values of each edited page, before and after. */
  pages: { draft: E; before: Values; values: Values }[]
  faults: (ShownFault & { page: string })[]
  /** Certificates and keys that the edited pages contain; none with any fault. */
  files: ConfigFile[]
  /** The longest trial that one of its pages needs. */
  confirmS: number
}

const valuesOn = (doc: UciDoc, page: ConfigPage, { changes }: Edited, traits: DeviceTraits): Values => {
  const base = page.read(doc, traits)
  return { ...base, ...withLeftOut(formOfPage(page), changes, base) }
}

type Step<E extends Edited> = { page: ConfigPage; draft: E; doc: UciDoc; values: Values }

/**
 * Applies the pages one after the other: each sees what the previous ones have written, as it will be on the device.
 */
function written<E extends Edited>({ base, doc, traits }: Running, drafts: readonly E[]) {
  let after = base ?? doc
  const steps: Step<E>[] = []
  const files: ConfigFile[] = []
  for (const page of pageList) {
    const draft = drafts.find((one) => one.page === page.name)
    if (!draft) continue
    const values = valuesOn(after, page, draft, traits)
    steps.push({ page, draft, doc: after, values })
    if (Object.keys(draft.changes).length === 0) continue
    const running = { values: page.read(after, traits), doc: after }
    const whole = writableValues(page, { values, doc: after }, running, traits)
    if (!whole) continue
    files.push(...page.files(after, whole, traits))
    after = page.write(after, whole, traits)
  }
  return { steps, files, after }
}

/**
 * The faults of a page's values, given what the other pages make of the document. It is checked against the pages
 * before it first; only if that finds a fault is it checked against the later ones too, which may have removed the
 * cause.
 */
function faultsBeside<E extends Edited>(
  config: Running,
  { page, draft, doc, values }: Step<E>,
  drafts: readonly E[],
  language: Language,
): ShownFault[] {
  const { traits } = config
  const on = (at: UciDoc, own: Values) => {
    // An imported text is an edit, too.
    const running = page.read(config.base ? config.doc : at, traits)
    return pageFaults(page, { values: own, doc: at }, { values: running, doc: at }, traits, language)
  }
  const found = on(doc, values)
  const others = drafts.filter((one) => one !== draft)
  if (found.length === 0 || others.length === 0) return found
  const beside = written(config, others).after
  return on(beside, valuesOn(beside, page, draft, traits))
}

/** Edited rows would be written to other sections, and rows that have been added since be removed. */
function staleFaults<E extends Edited>(
  { base, doc, traits }: Running,
  { page, draft }: Step<E>,
  language: Language,
): ShownFault[] {
  const { changes, seen } = draft
  if (seen === undefined || seen === seenRows(page, changes, page.read(base ?? doc, traits))) return []
  return [{ path: rowFields(page, changes)[0] ?? '', message: sayIn(language)('config:rowsChanged') }]
}

/** All edits together: what one page needs may be on another that is edited, too [decisions/150]. */
export function drafted<E extends Edited>(
  config: Running,
  drafts: readonly E[],
  language: Language,
): Drafted<E> {
  const { steps, files, after } = written(config, drafts)
  const faults = steps.flatMap((step) =>
    [...staleFaults(config, step, language), ...faultsBeside(config, step, drafts, language)].map(
      (fault) => ({
        ...fault,
        page: step.page.name,
      }),
    ),
  )
  if (faults.length === 0) faults.push(...togetherFaults(config, after, drafts, language))
  const faulty = new Set(faults.map(({ page }) => page))
  const sound = drafts.filter(({ page }) => !faulty.has(page))
  const kept = sound.length < drafts.length ? written(config, sound).after : after
  return {
    after: kept,
    pages: steps.map(({ page, draft, values }) => ({
      draft,
      before: page.read(config.doc, config.traits),
      values,
    })),
    faults: [...faults, ...lintFaults(config, kept, language)],
    files: faults.length > 0 ? [] : files,
    confirmS: Math.max(importTrialS(config), ...steps.map(({ page }) => trialS[page.trial])),
  }
}

/** What no page sees: no way to the platform would be left. */
const lintFaults = ({ doc, traits, reportedWan }: Running, after: UciDoc, language: Language) =>
  lintConfig(doc, after, { wan: reportedWan, uplink: traits.uplink }).map(({ text, params }) => ({
    page: '',
    path: '',
    message: sayIn(language)(text, params),
  }))

/** The trial time that the pages of the imported packages need; a package without a page could affect anything. */
function importTrialS({ doc, base }: Running): number {
  if (!base) return 0
  const names = Object.keys(base).filter((name) => base[name] !== doc[name])
  return Math.max(
    0,
    ...names.map((name) => {
      const pages = pageList.filter((page) => page.packages.includes(name))
      return pages.length === 0 ? trialS.wired : Math.max(...pages.map(({ trial }) => trialS[trial]))
    }),
  )
}
