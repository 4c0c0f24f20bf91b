/** Computed values, added to a report before it is stored [decisions/119]. Pure. */
import { derivedValue, type Input } from '#schema/monitor/formula/derived'
import { storedValue } from '#schema/monitor/scale'
import type { Newest } from './newest.ts'
import type { Reading } from './reading.ts'

const good = 0

/** null: unknown, because the input has not been reported yet, or its newest value is from a later time. */
function inputOf(
  { slot, holdMs }: { slot: number; holdMs: number },
  reading: Reading,
  newest: Newest | null,
): Input | null {
  const place = reading.slots.indexOf(slot)
  if (place >= 0) return { value: reading.vals[place] ?? null, quality: reading.quality?.[place] ?? good }
  const at = newest?.at[slot] ?? null
  if (!newest || at === null || at > reading.at) return null
  const fresh = reading.at - at <= holdMs
  return { value: fresh ? (newest.vals[slot] ?? null) : null, quality: newest.quality[slot] ?? good }
}

/**
 * The report with the computed variables that have an input in it. Other inputs are the newest values of the terminal;
 * for a late report, only its own values are known for that time. @param newest null: the report is late
 */
export function withDerived(reading: Reading, newest: Newest | null): Reading {
  const derived = reading.derived
  if (!derived || derived.length === 0) return reading
  let full = reading
  for (const { scale, inputs, run } of derived) {
    if (!inputs.some(({ slot }) => full.slots.includes(slot))) continue
    const values = inputs.map((input) => inputOf(input, full, newest))
    if (values.some((value) => value === null)) continue
    const { value: raw, quality: code } = derivedValue(run, values as Input[])
    const { value, quality } = storedValue(scale, raw, code)
    full = {
      ...full,
      slots: [...full.slots, scale.slot],
      vals: [...full.vals, value],
      quality:
        full.quality === null && quality === good
          ? null
          : [...(full.quality ?? full.slots.map(() => good)), quality],
      texts: full.texts === null ? null : [...full.texts, null],
    }
  }
  return full
}
