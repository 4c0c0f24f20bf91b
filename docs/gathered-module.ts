/**
 * Modules that gather the declarations of one folder with their types: schema/…/<kind>s.gen.ts. Generated first,
 * because the other declarations import them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isConfigPage } from '#schema/config/config-page'
import { isAlarmKind } from '#schema/kit/alarm-kind'
import { isFigure } from '#schema/kit/figure'

const root = new URL('../', import.meta.url)

/**
 * One object with all declarations of a folder by name, ordered by their `place`. Reading the folder at run time
 * would lose the names as types, and is impossible in the browser. @param folder below the root, with a trailing
 * slash
 */
async function gatheredModule(
  folder: string,
  name: string,
  is: (value: unknown) => value is { name: string; place: number },
): Promise<string> {
  const files = readdirSync(fileURLToPath(new URL(folder, root)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
  const found = (
    await Promise.all(
      files.map(async (file) => {
        const module = (await import(new URL(`${folder}${file}`, root).href)) as Record<string, unknown>
        return Object.entries(module).flatMap(([key, value]) => (is(value) ? [{ key, value, file }] : []))
      }),
    )
  ).flat()
  const identifier = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  for (const { key, value, file } of found)
    if (key !== identifier(value.name)) throw new Error(`${folder}${file}: ${key} is named ${value.name}`)
  const own = folder.split('/').at(-2)
  const places = found.toSorted((a, b) => a.value.place - b.value.place)
  return `// Generated from the files in ${folder} by \`npm run generate\`; do not edit.
${found.map(({ key, file }) => `import { ${key} } from './${own}/${file}'`).join('\n')}

export const ${name} = { ${places.map(({ key }) => key).join(', ')} }
`
}

/** The expected content of every such module, by its path from the root. */
export const gatheredModules = async (): Promise<Record<string, string>> => ({
  'schema/device/figures.gen.ts': await gatheredModule('schema/device/figures/', 'figures', isFigure),
  'schema/alarm/kinds.gen.ts': await gatheredModule('schema/alarm/kinds/', 'alarmKinds', isAlarmKind),
  'schema/config/pages.gen.ts': await gatheredModule('schema/config/pages/', 'configPages', isConfigPage),
})

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of Object.entries(await gatheredModules())) {
    const file = new URL(path, root)
    if (readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(file, text)
  }
