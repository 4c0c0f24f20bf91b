/** The texts about variables in any language, to recognize what was written in one. */
import type { Language } from '#schema/kit/refusal'
import { inTime } from '../kit/chunk.ts'

const files = import.meta.glob<Record<string, unknown>>('../../locales/*/variable.json', {
  import: 'default',
})

export async function variableTexts(of: Language): Promise<Record<string, unknown>> {
  const load = files[`../../locales/${of}/variable.json`]
  return load ? inTime(load) : {}
}
