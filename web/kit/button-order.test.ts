/** One order of buttons everywhere: what cancels first, the primary one last. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inOrder } from './action-button.tsx'

const web = join(import.meta.dirname, '..')
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.startsWith('dist/'))
  .map((file) => ({ file, text: readFileSync(join(web, file), 'utf8') }))

/** The rows of buttons at the end of dialogs and forms. */
const rows = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/<Group justify="flex-end"[^>]*>([\s\S]*?)<\/Group>/g)].map(([, inside = '']) => ({
    file,
    isFilled: [...inside.matchAll(/<Button\b([\s\S]*?)(?:\n\s*>|[^=]>)/g)].map(
      ([, said = '']) => !/variant=/.test(said),
    ),
  })),
)

describe('buttons', () => {
  it('of dialogs: one is filled at most, and it is the last', () => {
    expect(rows.filter(({ isFilled }) => isFilled.length > 1).length).toBeGreaterThan(5)
    expect(rows.filter(({ isFilled }) => isFilled.slice(0, -1).includes(true))).toEqual([])
  })

  it('with a rank: danger first, the primary one last, the others as they were', () => {
    const given = ['primary', 'secondary', 'danger', 'secondary'] as const
    expect(inOrder(given, (rank) => rank)).toEqual(['danger', 'secondary', 'secondary', 'primary'])
  })
})
