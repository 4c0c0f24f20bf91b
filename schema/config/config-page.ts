/**
 * The maker of configuration pages: their fields, the UCI that these become, and the software on the device that
 * applies it. Form, check, draft, review, diff and the simulator's refusals follow from the declaration.
 */
import type { z } from 'zod'
import type { FormField } from '../kit/field.ts'
import { formOf } from '../kit/form.ts'
import { ofKind } from '../kit/kind.ts'
import { shownValues } from '../kit/values.ts'
import type { Key } from '../kit/words.gen.ts'
import type { Ability } from './ability.ts'
import type { ConfigFile } from './page-file.ts'
import { type Bounds, filesOf, placesOf, readBounds, type UciPlace, writeBounds } from './page-of.ts'
import { type MissingName, missingNames, type Names, namesIn, references } from './references.ts'
import type { UciDoc } from './uci.ts'

/** The groups of pages, in the order of the console. */
export const pageGroups = ['network', 'security', 'serial', 'io', 'system'] as const
export type PageGroup = (typeof pageGroups)[number]

/** What carries a page out: stock OpenWrt, an optional package of its feed, or our agent. */
export type CarriedBy = 'stock' | 'agent' | { readonly package: string }

/**
 * How a change is tried: not at all (it cannot cut the device off), on wire, or over a radio, where a new connection
 * takes minutes [openwrt.md §2]. The seconds that the device waits for the confirmation.
 */
export const trialS = { none: 0, wired: 90, radio: 300 } as const
export type Trial = keyof typeof trialS

/** Where the platform itself has values for a page; users who edit the page can copy them into the draft. */
export type FilledFrom = 'groupAccount'

/** The context of reading and writing besides the document. */
export type DeviceTraits = {
  readonly abilities: ReadonlySet<string>
  /** The UCI names of its uplinks differ by model; the first is used while it is up. */
  readonly model: string | null
  /** The interface of `network` over which it reached the platform last; null: it does not report it. */
  readonly uplink?: string | null
}

/** A fault that no bound of a single field expresses. `path` as in the form: `rules.2.port`. */
export type PageFault = {
  readonly path: string
  readonly text: Key
  readonly params?: Readonly<Record<string, string | number>>
}

type Values<B extends z.ZodType> = z.output<B>

export type ConfigPage<B extends z.ZodObject = z.ZodObject> = {
  readonly kind: 'configPage'
  /** Its title is `<name>:page`, its labels `<name>:field.<field>`, its help `<name>:hint.<field>`. */
  readonly name: string
  readonly group: PageGroup
  readonly place: number
  /** A Tabler icon's name without the prefix, in kebab-case. */
  readonly icon: string
  /** The packages that it reads and writes. */
  readonly packages: readonly string[]
  readonly carriedBy: CarriedBy
  /** The device must have all of these; otherwise the page is not offered. */
  readonly needs: readonly Ability[]
  /** The first configuration level (`hello.config.level`) that carries it out; older: "upgrade device". */
  readonly sinceLevel: number
  readonly trial: Trial
  /** The section of the device's facts about the same things: shown beside the form, as it is now. */
  readonly live?: 'io'
  /** The button that takes them is labelled `<name>:fill`. */
  readonly filledFrom?: FilledFrom
  /** Fields with bounds, defaults and conditions. */
  readonly body: B
  /** The values of a document. Never throws: what the page cannot represent is left to its defaults. */
  readonly read: (doc: UciDoc, traits: DeviceTraits) => Values<B>
  /**
   * The document with these values. Changes only what the values differ in from `read`; sections and options that no
   * field knows stay as they are, and so do those of fields that are not shown with these values.
   */
  readonly write: (doc: UciDoc, values: Values<B>, traits: DeviceTraits) => UciDoc
  /** Certificates and keys among the values, whose paths `write` puts into options; they go down with the packages. */
  readonly files: (doc: UciDoc, values: Values<B>, traits: DeviceTraits) => readonly ConfigFile[]
  /**
   * Faults between fields, or between this page and the rest of the document; among them names that nothing has, where that is
   * refused. `doc`: without these values or with them.
   */
  readonly check: (values: Values<B>, doc: UciDoc, traits: DeviceTraits) => readonly PageFault[]
  /** Undefined names in these values, refused or not. */
  readonly missing: (values: Values<B>, known: Names) => readonly MissingName[]
  /** Where each field is, by its path, also in the rows of the document: a refusal of the device is shown at the field. */
  readonly places: (doc: UciDoc, traits: DeviceTraits) => Readonly<Record<string, UciPlace>>
}

type Declared<B extends z.ZodObject> = Omit<
  ConfigPage<B>,
  'kind' | 'sinceLevel' | 'read' | 'write' | 'files' | 'places' | 'check' | 'missing'
> & {
  readonly sinceLevel?: number
  /** Faults that no field declares. */
  readonly check?: (values: Values<B>, doc: UciDoc, traits: DeviceTraits) => readonly PageFault[]
  /** Where each field of the body is: the same names, in the same shape. */
  readonly bounds: (doc: UciDoc, traits: DeviceTraits) => Bounds
  /** Changes that no single field makes: the zone of a new interface. `before`: the document without the values. */
  readonly finish?: (doc: UciDoc, values: Values<B>, traits: DeviceTraits, before: UciDoc) => UciDoc
}

/** An undefined name, as a fault of its field. */
export const missingFault = ({ path, refersTo, name }: MissingName): PageFault => ({
  path,
  text: `config:missing.${references[refersTo].of}`,
  params: { name },
})

/** Declares one page. `sinceLevel` defaults to 1. */
export function configPage<B extends z.ZodObject>({
  bounds,
  finish,
  check = () => [],
  ...d
}: Declared<B>): ConfigPage<B> {
  let known: readonly FormField[] | undefined
  const fields = () => {
    known ??= formOf(d.body)
    return known
  }
  const shown = (values: Values<B>) => shownValues(fields(), values)
  const missing = (values: Values<B>, names: Names) => missingNames(fields(), values, names)
  return {
    kind: 'configPage',
    sinceLevel: 1,
    ...d,
    read: (doc, traits) => readBounds(doc, bounds(doc, traits)) as Values<B>,
    write: (doc, values, traits) => {
      const after = writeBounds(doc, bounds(doc, traits), shown(values))
      return finish?.(after, values, traits, doc) ?? after
    },
    files: (doc, values, traits) => filesOf(doc, bounds(doc, traits), shown(values)),
    places: (doc, traits) => placesOf(doc, bounds(doc, traits)),
    missing,
    check: (values, doc, traits) => [
      ...check(values, doc, traits),
      ...missing(values, namesIn(doc, d.packages))
        .filter(({ refersTo }) => references[refersTo].missing === 'refused')
        .map(missingFault),
    ],
  }
}

export const isConfigPage = ofKind<ConfigPage>('configPage')
