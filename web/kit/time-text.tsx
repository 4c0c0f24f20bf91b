import type { Key } from '#schema/kit/words.gen'
import { t } from './i18n.ts'
import { When } from './time.tsx'

/** A character of no text. */
const PLACE = '\u0000'

/** A text with a relative time at its `{at}`: "Read 3 min. ago", while Chinese has the time first. */
export function TimeText({ text, at }: { text: Key; at: string }) {
  const [before, after] = t(text, { at: PLACE }).split(PLACE)
  return (
    <>
      {before}
      <When at={at} />
      {after}
    </>
  )
}
