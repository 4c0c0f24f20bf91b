import { number } from '../kit/format.ts'

/** The ends of a gauge: as its user says, else of the variable, else round numbers around the value. Pure. */
type Ends = { least?: number | undefined; most?: number | undefined }
type Row = { min: number | null; max: number | null; value: number | null }

/** 1, 2 or 5 times a power of ten, not below the number. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

export function gaugeRange({ least, most }: Ends, { min, max, value }: Row): { least: number; most: number } {
  const shown = value ?? 0
  const low = least ?? min ?? (shown < 0 ? -roundUp(-shown) : 0)
  const high = most ?? max ?? (shown > 0 ? roundUp(shown) : 100)
  return high > low ? { least: low, most: high } : { least: low, most: low + 1 }
}

/** Ends may be fractions: those of 0.02 A are 0 and 0.02. */
const END_DIGITS = 6
export const endText = (end: number): string => number(end, END_DIGITS)

/** The position of a value between the ends, 0 to 1. */
export const shareOf = (value: number, { least, most }: { least: number; most: number }): number =>
  Math.max(0, Math.min(1, (value - least) / (most - least)))
