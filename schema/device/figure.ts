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

/** What replies say of one moment; null: unknown. */
export const figureValues = eachFigure(() => z.number().nullable())
/** What a chart says of each of its buckets. */
export const figureSeries = eachFigure(() => z.array(z.number().nullable()))
