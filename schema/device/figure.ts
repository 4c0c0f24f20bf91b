/** The figures of a device's status as schemas of messages and replies. */
import { z } from 'zod'
import type { Figure } from '../kit/figure.ts'
import { figures } from './figures.gen.ts'

export type FigureName = keyof typeof figures
/** Figures reported by devices; the others are derived. */
type SaidName = {
  [N in FigureName]: (typeof figures)[N] extends { derive: unknown } ? never : N
}[FigureName]

export const figureList = Object.values(figures) as readonly Figure<FigureName>[]

/** An object with one entry for each figure. */
export const eachFigure = <T>(make: (figure: Figure<FigureName>) => T): Record<FigureName, T> =>
  Object.fromEntries(figureList.map((figure) => [figure.name, make(figure)])) as Record<FigureName, T>

/** Their fields in the status message. */
export const saidFigures = Object.fromEntries(
  figureList
    .filter(({ derive }) => derive === undefined)
    .map(({ name, reading, summary }) => [name, reading.optional().describe(summary)]),
) as Record<SaidName, z.ZodOptional<z.ZodNumber>>

/** The same for the example of that message. */
export const figureExamples: Readonly<Record<string, number>> = Object.fromEntries(
  figureList.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
)

type Said = Readonly<Record<string, unknown>>
/** The value of a figure in a status message, or derived from it; null: none. */
export const readFigure = ({ name, derive }: Figure, said: Said): number | null =>
  derive ? (derive as (said: Said) => number | null)(said) : ((said[name] as number | undefined) ?? null)

/** In the order of `figureList`. */
export const readFigures = (said: Said): readonly (number | null)[] =>
  figureList.map((figure) => readFigure(figure, said))

/** In replies, the values at one time; null: unknown. */
export const figureValues = eachFigure(() => z.number().nullable())
/** In charts, one value per bucket. */
export const figureSeries = eachFigure(() => z.array(z.number().nullable()))
