/** The equipment behind every simulated gateway: one slave per template of the library, in the library's order. */
import { library } from './library/library.ts'
import type { LibraryTemplate } from './library/library-template.ts'

export const simulatedEquipment: readonly { unit: number; template: LibraryTemplate }[] = library.map(
  (template, at) => ({
    unit: at + 1,
    template,
  }),
)
