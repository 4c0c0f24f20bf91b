/** schema/kit/words.gen.ts: which subjects have language files and which keys are in them, as types. */
import { readdirSync } from 'node:fs'

const locales = new URL('../locales/', import.meta.url)

/** Files are found by name; zh-CN is the model with which test/locales.test.ts compares the others. */
const wordsIn = (folder: string) =>
  readdirSync(new URL(`${folder}/`, locales))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))
    .sort()

const typeOf = (name: string, folder: string) => `type ${name} = {
${wordsIn(folder)
  .map((word) => `  '${word}': typeof import('#locales/${folder}/${word}')`)
  .join('\n')}
}`

export const wordsModule =
  () => `// Generated from the files in locales/zh-CN by \`npm run generate\`; do not edit.

${typeOf('Texts', 'zh-CN')}
${typeOf('ServerTexts', 'zh-CN/servers')}
type Path<T> = T extends string
  ? never
  : { [K in keyof T & string]: T[K] extends string ? K : \`\${K}.\${Path<T[K]>}\` }[keyof T & string]

/** A file of locales/<language>/. */
export type Word = keyof Texts
/** \`word:path.to.text\`: a key that is in no file does not compile. */
export type Key = { [W in Word]: \`\${W}:\${Path<Texts[W]>}\` }[Word]
/** The same for locales/<language>/servers/, which the console does not load. */
export type ServerKey = { [W in keyof ServerTexts]: \`\${W}:\${Path<ServerTexts[W]>}\` }[keyof ServerTexts]
`
