import { parseAsString, useQueryStates } from 'nuqs'

const empty = parseAsString.withDefault('')

/** `?new=1` opens the wizard, with `spId`, `dids` or `filter` passed by other pages. */
export const useWizardAddress = () => useQueryStates({ new: empty, spId: empty, dids: empty, filter: empty })
