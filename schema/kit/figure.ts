/**
 * A telemetry figure, declared once. The status message, the columns of history and latest values, the calls that
 * return them, the tiles and charts of the console, the alarm kinds about a level and the simulator read this value.
 */
import type { z } from 'zod'
import { ofKind } from './kind.ts'

/**
 * Quality of a figure for which more is better, as lower limits in its unit; below `fair` it is poor. Charts show the
 * bands, reports count by them.
 */
export type FigureBands = { readonly excellent: number; readonly good: number; readonly fair: number }
export const bandNames = ['excellent', 'good', 'fair', 'poor'] as const
export type BandName = (typeof bandNames)[number]

/** Best to worst. */
export const bandOf = (bands: FigureBands, value: number): BandName =>
  bandNames.find((name) => name === 'poor' || value >= bands[name]) ?? 'poor'

export type Figure<N extends string = string> = {
  readonly kind: 'figure'
  /** Its field in the message and in replies; its text is `device:figure.<name>`. */
  readonly name: N
  /** `real` in status_samples and device_states. */
  readonly column: string
  /** What a device may report: bounds in the unit below. */
  readonly reading: z.ZodNumber
  readonly summary: string
  /** In the documented example of the message; absent where it is derived. */
  readonly example?: number
  /** '' for a number without unit. */
  readonly unit: '' | 'dBm' | '%' | '°C'
  /** Decimals shown, and kept for averages. 0–3. */
  readonly digits: number
  readonly bands?: FigureBands
  /** Order among the figures. */
  readonly place: number
  /**
   * Not in the message: derived from other fields by the broker. Null if they are missing. The parameter is the whole
   * status payload.
   */
  readonly derive?: (said: never) => number | null
}

/**
 * Declares one figure. Gathered into figures.gen.ts by `npm run generate`; its columns are added by `npm run
 * baseline`.
 */
export const figure = <const F extends Omit<Figure, 'kind' | 'derive'> & { readonly example: number }>(
  d: F,
): F & { readonly kind: 'figure' } => ({
  kind: 'figure',
  ...d,
})

/** The same for a figure that the broker derives from others. */
export const derivedFigure = <const F extends Omit<Figure, 'kind' | 'derive' | 'example'>, Said>(
  d: F & { readonly derive: (said: Said) => number | null },
): F & { readonly kind: 'figure'; readonly derive: (said: Said) => number | null } => ({
  kind: 'figure',
  ...d,
})

export const isFigure = ofKind<Figure>('figure')
