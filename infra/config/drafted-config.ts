/** The configuration that results from edited values of pages: of a device's drafts, a change for many, its templates. */
import { type DeviceTraits, trialS } from '#schema/config/config-page'
import { lintConfig } from '#schema/config/lint'
import type { ConfigFile } from '#schema/config/page-file'
import { formOfPage, pageList } from '#schema/config/page-list'
import { withLeftOut } from '#schema/config/row-ids'
import type { UciDoc } from '#schema/config/uci'
import type { Language } from '#schema/kit/refusal'
import { sayIn } from '../say.ts'
import { pageFaults, type ShownFault } from './page-faults.ts'

type Values = Readonly<Record<string, unknown>>
/** The edited values of one page. */
export type Edited = { page: string; changes: Values }
/** The document that runs, and what else a page depends on. */
export type Running = {
  doc: UciDoc
  traits: DeviceTraits
  /** What the pages are edited on, if that is not what runs: a text was imported. */
  base?: UciDoc
}

export type Drafted<E extends Edited> = {
  after: UciDoc
  /** The whole values of each edited page, before and after. */
  pages: { draft: E; before: Values; values: Values }[]
  faults: (ShownFault & { page: string })[]
  /** Certificates and keys that the edited pages contain. */
  files: ConfigFile[]
  /** The longest trial that one of its pages needs. */
  confirmS: number
}

/** Pages one after the other: each sees what the former have written, as the device will. */
export function drafted<E extends Edited>(
  config: Running,
  drafts: readonly E[],
  language: Language,
): Drafted<E> {
  const result: Drafted<E> = {
    after: config.base ?? config.doc,
    pages: [],
    faults: [],
    files: [],
    confirmS: importTrialS(config),
  }
  for (const page of pageList) {
    const draft = drafts.find((one) => one.page === page.name)
    if (!draft) continue
    const before = page.read(config.doc, config.traits)
    const base = page.read(result.after, config.traits)
    const values = { ...base, ...withLeftOut(formOfPage(page), draft.changes, base) }
    // What was imported is an edit, too.
    const running = config.base ? before : base
    const at = { doc: result.after, traits: config.traits }
    result.faults.push(
      ...pageFaults(page, values, running, at, language).map((fault) => ({ ...fault, page: page.name })),
    )
    result.pages.push({ draft, before, values })
    result.confirmS = Math.max(result.confirmS, trialS[page.trial])
    if (result.faults.length > 0 || Object.keys(draft.changes).length === 0) continue
    // A new row takes the defaults of what it does not say.
    const whole = page.body.parse(values)
    result.files.push(...page.files(result.after, whole, config.traits))
    result.after = page.write(result.after, whole, config.traits)
  }
  result.faults.push(...lintFaults(config.doc, result.after, language))
  return result
}

/** What no page sees: no way to the platform would be left. */
export const lintFaults = (before: UciDoc, after: UciDoc, language: Language) =>
  lintConfig(before, after).map((text) => ({ page: '', path: '', message: sayIn(language)(text) }))

/** As long as a page of the imported packages needs; what no page knows could be anything. */
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
