/**
 * A figure of telemetry, declared once. The status message, the columns of history and latest values, the calls that return
 * them, the tiles and charts of the console and the alarm kinds about a level read this value; so does the simulator, which
 * does not start with a figure that it cannot show.
 */
import type { z } from 'zod'
import { ofKind } from './kind.ts'

export type Figure<N extends string = string> = {
  readonly kind: 'figure'
  /** Its field in the message and in replies; its text is `device:figure.<name>`. */
  readonly name: N
  /** `real` in status_samples and device_states. */
  readonly column: string
  /** What a device may say: bounds in the unit below. */
  readonly reading: z.ZodNumber
  readonly summary: string
  /** In the documented example of the message; absent where it is derived. */
  readonly example?: number
  /** '' where the number stands by itself. */
  readonly unit: '' | 'dBm' | '%' | '°C'
  /** Decimals that are shown, and kept of averages. 0–3. */
  readonly digits: number
  /** Order among the figures wherever several stand together. */
  readonly place: number
  /**
   * Not in the message: made of other fields of it by the broker. Null where they are missing.
   * The parameter is the whole status payload.
   */
  readonly derive?: (said: never) => number | null
}

/** Declares one figure. Gathered into figures.gen.ts by `npm run generate`; the columns come with `npm run baseline`. */
export const figure = <const F extends Omit<Figure, 'kind' | 'derive'> & { readonly example: number }>(
  d: F,
): F & { readonly kind: 'figure' } => ({
  kind: 'figure',
  ...d,
})

/** The same for a figure that the broker makes of others. */
export const derivedFigure = <const F extends Omit<Figure, 'kind' | 'derive' | 'example'>, Said>(
  d: F & { readonly derive: (said: Said) => number | null },
): F & { readonly kind: 'figure'; readonly derive: (said: Said) => number | null } => ({
  kind: 'figure',
  ...d,
})

export const isFigure = ofKind<Figure>('figure')
