/**
 * Faults of a new configuration as a whole, although each edited page is valid by itself; and warnings about names that
 * may be defined later.
 */
import { type ConfigPage, missingFault } from '#schema/config/config-page'
import { formOfPage, offerOf, pageList } from '#schema/config/page-list'
import { lostKinds, type MissingName, namesIn, references, refersTo } from '#schema/config/references'
import type { UciDoc } from '#schema/config/uci'
import type { Language } from '#schema/kit/refusal'
import { sayIn } from '../say.ts'
import type { Edited, Running } from './edited.ts'
import { documentFaults, type ShownFault } from './page-faults.ts'

export type PageFault = ShownFault & { page: string }

/** Rows may have moved: a fault that was there before is not new at another position. */
const placeOf = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '')

function newsOf<T extends { path: string }>(
  now: readonly T[],
  before: () => readonly T[],
  said: (one: T) => string,
) {
  if (now.length === 0) return []
  const key = (one: T) => `${placeOf(one.path)} ${said(one)}`
  const old = new Set(before().map(key))
  return now.filter((one) => !old.has(key(one)))
}

/** Names that the change leaves undefined, including on pages that were not edited. */
function lostNames({ doc, traits, level }: Running, after: UciDoc): (MissingName & { page: ConfigPage })[] {
  const changed = new Set(Object.keys({ ...doc, ...after }).filter((name) => doc[name] !== after[name]))
  const lost = lostKinds(doc, after)
  return pageList.flatMap((page) => {
    if (!page.packages.some((name) => changed.has(name)) && !refersTo(formOfPage(page), lost)) return []
    if (offerOf(page, { level, isRead: true, traits }) !== 'yes') return []
    const missingIn = (of: UciDoc) => page.missing(page.read(of, traits), namesIn(of, page.packages))
    return newsOf(
      missingIn(after),
      () => missingIn(doc),
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
  const faultsIn = (page: ConfigPage, of: UciDoc) => documentFaults(page, of, config.traits, language)
  return [
    // A page that is edited alone has already been checked against all others.
    ...(edited.length > 1 ? pageList.filter(isEdited) : []).flatMap((page) =>
      newsOf(
        faultsIn(page, after),
        () => faultsIn(page, config.doc),
        ({ message }) => message,
      ).map((fault) => ({ ...fault, page: page.name })),
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
