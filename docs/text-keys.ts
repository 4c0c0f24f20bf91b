/** schema/kit/words.gen.ts: which words have language files and which keys are in them, as types. */
import { readdirSync } from 'node:fs'

const folder = new URL('../locales/zh-CN/', import.meta.url)

/** A word's file is picked up by its name; zh-CN is the model that web/locales.test.ts holds the others to. */
export function wordsModule(): string {
  const words = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))
    .sort()
  return `// Generated from the files in locales/zh-CN by \`npm run generate\`; do not edit.

type Texts = {
${words.map((word) => `  '${word}': typeof import('#locales/zh-CN/${word}')`).join('\n')}
}
type Path<T> = T extends string
  ? never
  : { [K in keyof T & string]: T[K] extends string ? K : \`\${K}.\${Path<T[K]>}\` }[keyof T & string]

/** A file of locales/<language>/. */
export type Word = keyof Texts
/** \`word:path.to.text\`: a key that is in no file does not compile. */
export type Key = { [W in Word]: \`\${W}:\${Path<Texts[W]>}\` }[Word]
`
}
