/**
 * The names that fields of a page can refer to: those of the running configuration, with the imported text and the
 * edits of other pages.
 */
import { drafted } from '#infra/config/drafted-config'
import type { ConfigPage } from '#schema/config/config-page'
import { type Names, namesIn } from '#schema/config/references'
import type { Language } from '#schema/kit/refusal'
import type { DeviceConfig } from './load-config.ts'
import type { Edits } from './load-edits.ts'

export function referableNames(
  { name, packages }: ConfigPage,
  config: DeviceConfig,
  { base, drafts }: Edits,
  language: Language,
): Names {
  const others = drafts.filter((one) => one.page !== name)
  return namesIn(drafted({ ...config, base }, others, language).after, packages)
}
