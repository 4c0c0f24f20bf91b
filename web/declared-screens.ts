/**
 * Build step: the declared screens as plain values (`virtual:screens`), so that the browser knows every page without
 * loading its code, and their titles (`virtual:screen-titles`), gathered from the language files into one small file
 * per language.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { languages } from '#schema/kit/refusal'
import { isScreen } from '#schema/kit/screen'

const schema = new URL('../schema/', import.meta.url)
const locales = new URL('../locales/', import.meta.url)
const SCREENS = 'virtual:screens'
const TITLES = 'virtual:screen-titles'

export async function readScreens() {
  const files = readdirSync(schema, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !/\.(test|gen)\.ts$|^(kit|tables|migrations)\//.test(file),
  )
  const modules = await Promise.all(files.map((file) => import(new URL(file, schema).href)))
  return modules.flatMap((module) => Object.values(module)).filter(isScreen)
}

function readTitles(language: string): Record<string, string> {
  const folder = new URL(`${language}/`, locales)
  const words = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map(
      (file) =>
        JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { screen?: Record<string, string> },
    )
  return Object.assign({}, ...words.map(({ screen }) => screen ?? {}))
}

const titleLoaders = () =>
  languages.map((language) => `'${language}': () => import('${TITLES}/${language}')`).join(',\n')

export function declaredScreens(): Plugin {
  return {
    name: 'declared-screens',
    resolveId: (source) =>
      source === SCREENS || source === TITLES || source.startsWith(`${TITLES}/`) ? `\0${source}` : null,
    async load(id) {
      if (id === `\0${SCREENS}`) return `export default ${JSON.stringify(await readScreens())}`
      if (id === `\0${TITLES}`) return `export default { ${titleLoaders()} }`
      if (!id.startsWith(`\0${TITLES}/`)) return null
      return `export default ${JSON.stringify(readTitles(id.slice(TITLES.length + 2)))}`
    },
  }
}
