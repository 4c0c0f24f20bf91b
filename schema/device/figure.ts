/** The figures of a device's status, as the shapes that messages and replies are made of. */
import { z } from 'zod'
import type { Figure } from '../kit/figure.ts'
import { figures } from './figures.gen.ts'

export type FigureName = keyof typeof figures
/** Those that a device says; the others are derived. */
type SaidName = {
  [N in FigureName]: (typeof figures)[N] extends { derive: unknown } ? never : N
}[FigureName]

export const figureList = Object.values(figures) as readonly Figure<FigureName>[]

/** An object with one entry for each figure. */
export const eachFigure = <T>(make: (figure: Figure<FigureName>) => T): Record<FigureName, T> =>
  Object.fromEntries(figureList.map((figure) => [figure.name, make(figure)])) as Record<FigureName, T>

/** What the status message carries of them. */
export const saidFigures = Object.fromEntries(
  figureList
    .filter(({ derive }) => derive === undefined)
    .map(({ name, reading, summary }) => [name, reading.optional().describe(summary)]),
) as Record<SaidName, z.ZodOptional<z.ZodNumber>>

/** The same of the example of that message. */
export const figureExamples: Readonly<Record<string, number>> = Object.fromEntries(
  figureList.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
)

type Said = Readonly<Record<string, unknown>>
/** What a status message says of each figure, or what follows from it; null: nothing. In the order of `figureList`. */
export const readFigures = (said: Said): readonly (number | null)[] =>
  figureList.map(({ name, derive }) =>
    derive ? (derive as (said: Said) => number | null)(said) : ((said[name] as number | undefined) ?? null),
  )

/** What replies say of one moment; null: unknown. */
export const figureValues = eachFigure(() => z.number().nullable())
/** What a chart says of each of its buckets. */
export const figureSeries = eachFigure(() => z.array(z.number().nullable()))
