/** Maker of a simulated figure; each module of figures/ exports one. */
import type { Figure } from '#schema/kit/figure'
import { ofKind } from '#schema/kit/kind'
import type { Model } from './models.ts'
import type { Dice } from './random.ts'

/** What a figure is computed from at the time of a sample. */
export type Moment = {
  readonly model: Model
  /** How busy the device is, 0–1, with a daily rhythm. */
  readonly busy: number
  readonly load: number
  /** The share of memory in use, 0–1. */
  readonly memoryShare: number
  /** Best possible signal at its location [dBm]. */
  readonly goodSignal: number
  readonly dice: Dice
}

export type Shown = {
  readonly kind: 'shown'
  readonly figure: Figure
  /** @param before its last return value, not rounded. Null: this model does not have the figure. */
  readonly next: (moment: Moment, before: number | undefined) => number | null
}

/**
 * Declares how `figure` changes from one sample to the next; it is sent with the decimals that the figure declares.
 */
export const shows = (figure: Figure, next: Shown['next']): Shown => ({ kind: 'shown', figure, next })

export const isShown = ofKind<Shown>('shown')

/** Pulls `value` towards `home` and adds noise, so that it drifts but stays bounded. */
export const drift = (value: number, home: number, pull: number, shake: number) =>
  value + (home - value) * pull + shake
