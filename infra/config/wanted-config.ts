/**
 * The document that a change for many devices results in for one of them: from chosen values, or from its templates.
 */
import type { DeviceTraits } from '#schema/config/config-page'
import type { ManyChange, PageValues } from '#schema/config/many-change'
import { formOfPage, offerOf, pageNamed } from '#schema/config/page-list'
import { withOwnRows } from '#schema/config/row-ids'
import { type OwnFields, stacked, type TemplateBook } from '#schema/config/template-stack'
import type { UciDoc } from '#schema/config/uci'
import type { Language } from '#schema/kit/refusal'
import { sayIn } from '../say.ts'
import { type Drafted, drafted } from './drafted-config.ts'
import type { Edited } from './edited.ts'
import { keptPages } from './kept-values.ts'

export type Target = {
  deviceId: number
  groupId: number
  level: number | null
  doc: UciDoc
  traits: DeviceTraits
  /** Fields that were set on the device itself: its templates do not change them. */
  own: OwnFields
  reportedWan?: unknown
}

export const formOfNamed = (name: string) => {
  const page = pageNamed(name)
  return page && formOfPage(page)
}

export const pagesWanted = (change: ManyChange, target: Target, book: TemplateBook | null) =>
  change.by === 'values' || book === null
    ? { pages: change.by === 'values' ? keptPages(change.pages) : {}, missing: [] }
    : stacked(book, target, target.own, formOfNamed)

/** The values that this device should have on each page. Pages that it does not have are left out. */
export const editsOf = (pages: PageValues, { level, doc, traits }: Omit<Target, 'own'>): Edited[] =>
  Object.entries(pages).flatMap(([name, values]) => {
    const page = pageNamed(name)
    if (!page || offerOf(page, { level, isRead: true, traits }) !== 'yes') return []
    return [{ page: name, changes: withOwnRows(formOfPage(page), values, page.read(doc, traits)) }]
  })

export type Wanted = Drafted<Edited> & {
  /** Why it cannot be sent; null: it can. */
  fault: string | null
}

export function wantedConfig(
  change: ManyChange,
  target: Target,
  book: TemplateBook | null,
  language: Language,
): Wanted {
  const { pages, missing } = pagesWanted(change, target, book)
  const say = sayIn(language)
  if (missing.length > 0) {
    const fault = say('config-template:fault.noValue', { names: missing.join(', ') })
    return { after: target.doc, pages: [], faults: [], files: [], confirmS: 0, fault }
  }
  const made = drafted(target, editsOf(pages, target), language)
  return { ...made, fault: made.faults[0]?.message ?? null }
}
