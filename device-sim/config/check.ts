/** What programs on the device would refuse in a configuration, found with the bounds of the declared pages. */

import { packageHash } from '#infra/config-hash'
import { sayIn } from '#infra/say'
import type { ConfigPage, DeviceTraits } from '#schema/config/config-page'
import { configPages } from '#schema/config/pages.gen'
import { lostKinds, refersTo } from '#schema/config/references'
import { exportUci, parseUci, type UciDoc, UciFault } from '#schema/config/uci'
import { checkFields } from '#schema/kit/check'
import { faultText } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'
import { formOf } from '#schema/kit/form'
import { newFaults } from '#schema/kit/new-faults'
import type { Identity } from '../fleet.ts'
import { abilitiesOf, CONFIG_LEVEL } from './abilities.ts'

export type ConfigFault = { package: string; section?: string; option?: string; reason: string }

const pages: readonly ConfigPage[] = Object.values(configPages as unknown as Record<string, ConfigPage>)
const forms = new Map<ConfigPage, readonly FormField[]>()
const say = sayIn('en-US')

function fieldsOf(page: ConfigPage): readonly FormField[] {
  const known = forms.get(page)
  if (known) return known
  const fields = formOf(page.body)
  forms.set(page, fields)
  return fields
}

const traitsOf = ({ model }: Identity): DeviceTraits => ({
  abilities: new Set<string>(abilitiesOf(model)),
  model: model.name,
})

/** The pages that this device carries out. */
export function pagesOf(identity: Identity): readonly ConfigPage[] {
  const { abilities } = traitsOf(identity)
  return pages.filter(
    ({ needs, sinceLevel }) => sinceLevel <= CONFIG_LEVEL && needs.every((need) => abilities.has(need)),
  )
}

type Found = { readonly path: string; readonly reason: string }

type Finding = (page: ConfigPage, doc: UciDoc, traits: DeviceTraits) => readonly Found[]

const outOfBounds: Finding = (page, doc, traits) =>
  Object.entries(checkFields(fieldsOf(page), page.read(doc, traits))).map(([path, fault]) => ({
    path,
    reason: faultText(fault, say),
  }))

const contradictions: Finding = (page, doc, traits) =>
  page.check(page.read(doc, traits), doc, traits).map(({ path, text, params }) => ({
    path,
    reason: say(text, params),
  }))

/** Invalid values are reported before the conflicts that they cause. */
const findings: readonly Finding[] = [outOfBounds, contradictions]

/** Faults that existed before are no reason to refuse another change. */
export function refusedByPages(identity: Identity, before: UciDoc, after: UciDoc): ConfigFault | null {
  const traits = traitsOf(identity)
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
  const lost = lostKinds(before, after)
  const concerned = pagesOf(identity).filter(
    (page) => page.packages.some((name) => changed.includes(name)) || refersTo(fieldsOf(page), lost),
  )
  for (const find of findings)
    for (const page of concerned) {
      const on = (doc: UciDoc) => ({ values: page.read(doc, traits), faults: find(page, doc, traits) })
      const [found] = newFaults(
        on(after),
        () => on(before),
        ({ reason }) => reason,
      )
      if (!found) continue
      const places = page.places(after, traits)
      const place = places[found.path] ?? places[found.path.replace(/\.\d+(?=\.|$)/g, '')]
      return {
        package: place?.package ?? page.packages[0] ?? '',
        ...(place && { section: place.section }),
        ...(place?.option && { option: place.option }),
        reason: found.reason.slice(0, 300),
      }
    }
  return null
}

type Sent = { readonly name: string; readonly text: string | null; readonly hash: string | null }

/** The documents after these packages, or why one of them is refused. */
export function stage(doc: UciDoc, packages: readonly Sent[]): UciDoc | ConfigFault {
  const staged: Record<string, UciDoc[string]> = { ...doc }
  for (const { name, text, hash } of packages) {
    delete staged[name]
    if (text === null) continue
    try {
      const parsed = parseUci(name, text)
      if (packageHash(exportUci(parsed)) !== hash)
        return { package: name, reason: 'the text does not have the hash that was sent with it' }
      staged[name] = parsed
    } catch (error) {
      if (!(error instanceof UciFault)) throw error
      return { package: name, reason: `line ${error.line}: ${error.reason}` }
    }
  }
  return staged
}

export const isFault = (one: UciDoc | ConfigFault): one is ConfigFault => typeof one['reason'] === 'string'
