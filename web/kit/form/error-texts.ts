/** Validation errors in the user's language, with the same messages as the server's. */
import { type Fault, faultSentence } from '#schema/kit/fault'
import { loadWords, t } from '../i18n.ts'

// What a text must look like is a third of what was once the kit's own text file; a login needs none of it.
await loadWords(['form'])

/** For Mantine's useForm. `labelOf` returns the label of the field at a path. */
export const errorsOf = (
  faults: Readonly<Record<string, Fault>>,
  labelOf: (path: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(faults).map(([path, fault]) => [path, faultSentence(labelOf(path), fault, t)]),
  )
