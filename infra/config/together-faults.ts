/**
 * Faults of a new configuration as a whole, although each edited page is valid by itself; and warnings about names that
 * may be defined later.
 */
import { type ConfigPage, missingFault } from '#schema/config/config-page'
import { formOfPage, offerOf, pageList } from '#schema/config/page-list'
import { lostKinds, type MissingName, namesIn, references, refersTo } from '#schema/config/references'
import type { UciDoc } from '#schema/config/uci'
import { newFaults } from '#schema/kit/new-faults'
import type { Language } from '#schema/kit/refusal'
import { sayIn } from '../say.ts'
import type { Edited, Running } from './edited.ts'
import { pageFaults, type ShownFault } from './page-faults.ts'

export type PageFault = ShownFault & { page: string }

/** Names that the change leaves undefined, including on pages that were not edited. */
function lostNames({ doc, traits, level }: Running, after: UciDoc): (MissingName & { page: ConfigPage })[] {
  const changed = new Set(Object.keys({ ...doc, ...after }).filter((name) => doc[name] !== after[name]))
  const lost = lostKinds(doc, after)
  return pageList.flatMap((page) => {
    if (!page.packages.some((name) => changed.has(name)) && !refersTo(formOfPage(page), lost)) return []
    if (offerOf(page, { level, isRead: true, traits }) !== 'yes') return []
    const missingIn = (of: UciDoc) => page.missing(page.read(of, traits), namesIn(of, page.packages))
    return newFaults(
      { values: null, faults: missingIn(after) },
      () => ({ values: null, faults: missingIn(doc) }),
      ({ name }) => name,
    ).map((one) => ({ ...one, page }))
  })
}

/** Undefined names that may be defined later. All others are faults. */
export function nameWarnings(config: Running, after: UciDoc, language: Language): PageFault[] {
  const say = sayIn(language)
  const later = lostNames(config, after).filter(({ refersTo: to }) => references[to].missing === 'warned')
  return later.map((one) => {
    const { path, text, params = {} } = missingFault(one)
    return { page: one.page.name, path, message: say(text, params) }
  })
}

/** The same check as on the device: each edited page against the whole document, and the names that others refer to. */
export function togetherFaults(
  config: Running,
  after: UciDoc,
  edited: readonly Edited[],
  language: Language,
): PageFault[] {
  const say = sayIn(language)
  const isEdited = ({ name }: ConfigPage) => edited.some((one) => one.page === name)
  const { doc, traits } = config
  const seen = (page: ConfigPage, of: UciDoc) => ({ values: page.read(of, traits), doc: of })
  return [
    // A page that is edited alone has already been checked against all others.
    ...(edited.length > 1 ? pageList.filter(isEdited) : []).flatMap((page) =>
      pageFaults(page, seen(page, after), seen(page, doc), traits, language).map((fault) => ({
        ...fault,
        page: page.name,
      })),
    ),
    ...lostNames(config, after)
      .filter(({ page, refersTo: to }) => !isEdited(page) && references[to].missing === 'refused')
      .map(({ page, path, refersTo: to, name }) => ({
        page: page.name,
        path,
        message: say(`config:used.${references[to].of}`, {
          page: say(`${page.name}:page` as 'wan:page'),
          name,
        }),
      })),
  ]
}
