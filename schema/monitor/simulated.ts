/** The equipment behind every simulated gateway: one slave for each template of the library, in its order. */
import { library } from './library/library.ts'
import type { LibraryTemplate } from './library/library-template.ts'

export const simulatedEquipment: readonly { unit: number; template: LibraryTemplate }[] = library.map(
  (template, at) => ({
    unit: at + 1,
    template,
  }),
)
