/** Which source file imports which, including types. */
import { dirname, join, normalize } from 'node:path'

/** What a source imports, as written: `./page.tsx`, `#schema/kit/call`, `react`. */
export const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom\s|\bimport\()\s*'([^']+)'|^import\s+'([^']+)'/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  )

export type Graph = ReadonlyMap<string, readonly string[]>

/** Only imports of files among `sources`. */
export function importGraph(sources: readonly { path: string; text: string }[]): Graph {
  const paths = new Set(sources.map(({ path }) => path))
  const resolve = (from: string, name: string) => {
    if (name.startsWith('.')) return [normalize(join(dirname(from), name))]
    return name.startsWith('#') ? [`${name.slice(1)}.ts`, `${name.slice(1)}.tsx`] : []
  }
  return new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text)
        .flatMap((name) => resolve(path, name))
        .filter((target) => paths.has(target)),
    ]),
  )
}

/** Tarjan's strongly connected components with more than one file, or a file that imports itself. */
export function cycles(graph: Graph): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (file: string): number => {
    const own = index.size
    index.set(file, own)
    let lowest = own
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!index.has(target)) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, low.get(target) ?? index.get(target) ?? own)
    }
    low.set(file, lowest)
    if (lowest === own) {
      const component = stack.splice(stack.indexOf(file))
      if (component.length > 1 || graph.get(file)?.includes(file)) found.push(component.toSorted())
    }
    return lowest
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return found
}
