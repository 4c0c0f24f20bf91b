/** The names that fields of a form can refer to (`refersTo`), provided by the component that shows the form. */
import { createContext } from 'react'
import type { Reference } from '#schema/kit/field'

export type KnownNames = {
  /** Offered; others can be typed. */
  readonly offered: (refersTo: Reference) => readonly string[]
  /** The message for an undefined name; null if it is fine, or unknown here. */
  readonly lack: (refersTo: Reference, name: string) => string | null
}

export const KnownNamesContext = createContext<KnownNames>({ offered: () => [], lack: () => null })
