/** An unused class would be shipped to every browser; a missing one is `undefined` and unnoticed. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { root, tracked } from './tracked-files.ts'

const files = tracked.filter((path) => path.startsWith('web/'))
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

type Use = { path: string; names: string[]; dynamic: boolean }

/** Imports of a stylesheet, and the classes used there. */
function usesOf(sheet: string): Use[] {
  const importing = new RegExp(`import (\\w+) from '([./\\w-]*/${basename(sheet)})'`)
  return files
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => {
      const text = textOf(path)
      const [, variable, from] = importing.exec(text) ?? []
      if (!variable || normalize(join(dirname(path), from ?? '')) !== sheet) return []
      const named = [...text.matchAll(new RegExp(`\\b${variable}\\['([\\w-]+)'\\]`, 'g'))]
      return [
        {
          path,
          names: named.map(([, name]) => name ?? ''),
          dynamic: new RegExp(`\\b${variable}(\\[[^']|[^\\w\\[ ])`).test(text.replace(importing, '')),
        },
      ]
    })
}

const classesOf = (sheet: string): Set<string> => {
  const text = textOf(sheet)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/:global\([^)]*\)/g, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
  return new Set([...text.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name ?? ''))
}

it.each(files.filter((path) => path.endsWith('.module.css')))(
  '%s: its classes exist and are used',
  (sheet) => {
    const defined = classesOf(sheet)
    const uses = usesOf(sheet)
    const used = new Set(uses.flatMap(({ names }) => names))
    const missing = uses.flatMap(({ path, names }) =>
      names.filter((name) => !defined.has(name)).map((name) => `${path}: ${name}`),
    )
    expect(missing).toEqual([])
    // Class names that are built at run time cannot be checked.
    if (!uses.some(({ dynamic }) => dynamic))
      expect([...defined].filter((name) => !used.has(name))).toEqual([])
  },
)

it('every variable of a stylesheet or a style is defined somewhere', () => {
  const texts = files
    .filter((path) => /\.(css|tsx?|html)$/.test(path))
    .map((path) => [path, textOf(path)] as const)
  // In a stylesheet, or as a key of an object that becomes a style; Mantine defines its own.
  const defined = new Set(
    texts.flatMap(([, text]) =>
      [...text.matchAll(/['"\s{;](--[\w-]+)['"]?\]?\s*:/g)].map(([, name]) => name),
    ),
  )
  const unknown = texts.flatMap(([path, text]) =>
    // With another value behind it, it may be missing.
    [...text.matchAll(/var\((--[\w-]+)\s*\)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !defined.has(name) && !/^--(mantine|button|mb)-/.test(name))
      .map((name) => `${path}: ${name}`),
  )
  expect(unknown).toEqual([])
})
