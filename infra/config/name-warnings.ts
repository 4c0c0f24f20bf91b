/** Names that a new configuration uses and nothing in it has: what the edit brings, also on pages that were not edited. */
import { missingFault } from '#schema/config/config-page'
import { formOfPage, offerOf, pageList } from '#schema/config/page-list'
import { namesIn, refers } from '#schema/config/references'
import type { UciDoc } from '#schema/config/uci'
import type { Language } from '#schema/kit/refusal'
import { sayIn } from '../say.ts'
import type { Running } from './drafted-config.ts'
import type { ShownFault } from './page-faults.ts'

export type NameWarning = ShownFault & { page: string }

export function nameWarnings(
  { doc, traits }: Running,
  after: UciDoc,
  level: number | null,
  language: Language,
): NameWarning[] {
  const say = sayIn(language)
  return pageList
    .filter((page) => refers(formOfPage(page)) && offerOf(page, { level, isRead: true, traits }) === 'yes')
    .flatMap((page) => {
      const missingIn = (of: UciDoc) => page.missing(page.read(of, traits), namesIn(of, page.packages))
      // Rows may have moved: a name that was missing before is no news at another place.
      const key = ({ path, name }: { path: string; name: string }) =>
        `${path.replace(/\.\d+\./g, '.')} ${name}`
      const before = new Set(missingIn(doc).map(key))
      return missingIn(after)
        .filter((one) => !before.has(key(one)))
        .map((one) => {
          const { path, text, params = {} } = missingFault(one)
          return { page: page.name, path, message: say(text, params) }
        })
    })
}
