/** The colours of charts: tokens of the page, or of white paper for pictures and print. */

/** Value of a token, e.g. `--text-1`. */
export type Ink = (token: string) => string

/** Number of `--series-…` tokens. */
export const SERIES_COLOURS = 8

/** The present colour scheme. */
export function pageInk(): Ink {
  const style = getComputedStyle(document.documentElement)
  return (token) => style.getPropertyValue(token).trim()
}

/** The light scheme, whichever the page has. */
export function paperInk(): Ink {
  const paper = document.createElement('div')
  paper.dataset['paper'] = ''
  document.body.append(paper)
  const style = getComputedStyle(paper)
  const known = new Map<string, string>()
  // A removed element has no style any more, so all that charts use is read now.
  for (const token of TOKENS) known.set(token, style.getPropertyValue(token).trim())
  paper.remove()
  return (token) => known.get(token) ?? ''
}

export const seriesToken = (i: number) => `--series-${(i % SERIES_COLOURS) + 1}`

/** Colours that mean good or bad, from best to worst as for bands of quality. */
export const tones = ['online', 'pending', 'warning', 'critical'] as const
export type Tone = (typeof tones)[number]
export const bandTones = { excellent: 'online', good: 'pending', fair: 'warning', poor: 'critical' } as const

const TOKENS = [
  '--font-sans',
  '--surface',
  '--raised',
  '--border',
  '--text-1',
  '--text-2',
  '--text-3',
  '--offline',
  ...tones.flatMap((tone) => [`--${tone}`, `--${tone}-soft`]),
  ...Array.from({ length: SERIES_COLOURS }, (_, i) => seriesToken(i)),
]
