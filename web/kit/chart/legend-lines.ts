/** Texts around a chart: how the names of its series fit above it, and those of its bands beside it. */
import { bandNames } from '#schema/kit/figure'
import { t } from '../i18n.ts'
import { emsOf } from './text-width.ts'

export const LETTER_PX = 12
export const bandText = (name: (typeof bandNames)[number]) => t(`kit:chart.band.${name}`)
/** Room for their names beside the plot [px]. */
export const bandsWidth = () =>
  Math.ceil(Math.max(...bandNames.map((name) => emsOf(bandText(name)))) * LETTER_PX) + 8

export const LEGEND = { iconPx: 18, iconGapPx: 5, gapPx: 10, linePx: 14, paddingPx: 5 }
/** More lines would leave little of a small chart: then the legend has pages. */
const LEGEND_LINES_MAX = 4

/** Names in as many lines as a chart of this width [px] needs; null: there would be too many. */
export function legendLines(names: readonly string[], width: number): readonly (readonly string[])[] | null {
  const most = width - 2 * LEGEND.paddingPx
  const lines: string[][] = []
  let used = Number.POSITIVE_INFINITY
  for (const name of names) {
    const own = LEGEND.iconPx + LEGEND.iconGapPx + Math.ceil(emsOf(name) * LETTER_PX) + LEGEND.gapPx
    if (used + own > most) {
      lines.push([])
      used = 0
    }
    lines.at(-1)?.push(name)
    used += own
  }
  return lines.length > LEGEND_LINES_MAX ? null : lines
}
