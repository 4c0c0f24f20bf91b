/** The configuration that results from the drafts of a device. */

import { sayIn } from '#infra/say'
import { trialS } from '#schema/config/config-page'
import { lintConfig } from '#schema/config/lint'
import type { ConfigFile } from '#schema/config/page-file'
import { pageList } from '#schema/config/page-list'
import type { UciDoc } from '#schema/config/uci'
import type { Language } from '#schema/kit/refusal'
import type { DeviceConfig, Draft, Values } from './load-config.ts'
import { pageFaults, type ShownFault } from './page-faults.ts'

export type Drafted = {
  after: UciDoc
  /** The whole values of each edited page, before and after. */
  pages: { draft: Draft; before: Values; values: Values }[]
  faults: (ShownFault & { page: string })[]
  /** Certificates and keys that the edited pages contain. */
  files: ConfigFile[]
  /** The longest trial that one of its pages needs. */
  confirmS: number
}

/** Pages one after the other: each sees what the former have written, as the device will. */
export function drafted(config: DeviceConfig, drafts: readonly Draft[], language: Language): Drafted {
  const result: Drafted = { after: config.doc, pages: [], faults: [], files: [], confirmS: 0 }
  for (const page of pageList) {
    const draft = drafts.find((one) => one.page === page.name)
    if (!draft) continue
    const before = page.read(config.doc, config.traits)
    const running = page.read(result.after, config.traits)
    const values = { ...running, ...draft.changes }
    const at = { doc: result.after, traits: config.traits }
    result.faults.push(
      ...pageFaults(page, values, running, at, language).map((fault) => ({ ...fault, page: page.name })),
    )
    result.pages.push({ draft, before, values })
    result.confirmS = Math.max(result.confirmS, trialS[page.trial])
    if (result.faults.length > 0) continue
    // A form does not send what is blank; inside of a section that means "nothing", not "as it was".
    const whole = page.body.parse(values)
    result.files.push(...page.files(result.after, whole, config.traits))
    result.after = page.write(result.after, whole, config.traits)
  }
  const say = sayIn(language)
  for (const text of lintConfig(config.doc, result.after))
    result.faults.push({ page: '', path: '', message: say(text) })
  return result
}
