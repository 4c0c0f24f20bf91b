import { describe, expect, it } from 'vitest'
import type { ConfigPage } from './config-page.ts'
import { configPages } from './pages.gen.ts'
import { sampleDoc } from './sample-doc.ts'
import type { UciDoc } from './uci.ts'

const traits = { abilities: new Set<string>(), model: null }
const pages: readonly ConfigPage[] = Object.values(configPages as unknown as Record<string, ConfigPage>)
const documents: readonly [string, UciDoc][] = [
  ['an empty configuration', {}],
  ['a router', sampleDoc],
]

describe.each(pages.map((page) => [page.name, page] as const))('the page %s', (_, page) => {
  it.each(documents)('reads %s as values that its own fields accept', (_, doc) => {
    expect(page.body.safeParse(page.read(doc, traits)).error?.issues ?? []).toEqual([])
  })

  it.each(documents)('changes nothing when it writes what it has read: %s', (_, doc) => {
    expect(page.write(doc, page.read(doc, traits), traits)).toEqual(doc)
  })

  it('writes only packages that it names', () => {
    const written = page.write(sampleDoc, page.body.parse(page.read(sampleDoc, traits)), traits)
    const changed = Object.keys(written).filter((name) => written[name] !== sampleDoc[name])
    expect(changed.filter((name) => !page.packages.includes(name))).toEqual([])
  })
})
