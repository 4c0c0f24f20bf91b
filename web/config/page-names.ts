/** What fields of configuration pages can refer to by name: of one device, or what is usual where none is at hand. */
import {
  isMissing,
  type Names,
  namesFor,
  references,
  usualNames,
  withMoreNames,
  withOwnNames,
} from '#schema/config/references'
import type { FormValues } from '../kit/form/form-model.ts'
import type { KnownNames } from '../kit/form/known-names.ts'
import { t } from '../kit/i18n.ts'
import type { Chosen } from './chosen-fields.ts'
import { type DeclaredPage, pageNamed } from './config-pages.ts'

/** `names`: what the device has, with what is edited on its other pages. */
export function namesOfDevice(page: DeclaredPage, values: FormValues, names: Names): KnownNames {
  const known = withOwnNames(page.fields, values, names)
  return {
    offered: (refersTo) => namesFor(refersTo, known),
    lack: (refersTo, name) =>
      isMissing(refersTo, name, known) ? t(`config:missing.${references[refersTo].of}`, { name }) : null,
  }
}

/** With the names that the chosen values themselves give; each device is checked on its own. */
export function namesOfMany(chosen: Chosen): KnownNames {
  const known = Object.entries(chosen).reduce((names, [name, { fields, values }]) => {
    const page = pageNamed(name)
    const own = page?.fields.filter((field) => fields.includes(field.name))
    return own ? withMoreNames(own, values, names) : names
  }, usualNames)
  return { offered: (refersTo) => namesFor(refersTo, known), lack: () => null }
}
