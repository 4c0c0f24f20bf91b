/** The names that fields of a form can refer to (`refersTo`), from whoever shows the form. */
import { createContext } from 'react'
import type { Reference } from '#schema/kit/field'

export type KnownNames = {
  /** Offered; others can be typed. */
  readonly offered: (refersTo: Reference) => readonly string[]
  /** What is to be said of a name that nothing has; null: nothing, or that is not known here. */
  readonly lack: (refersTo: Reference, name: string) => string | null
}

export const KnownNamesContext = createContext<KnownNames>({ offered: () => [], lack: () => null })
