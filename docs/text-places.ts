/**
 * schema/kit/places.gen.ts: the placeholders of each refusal's text, so that a refusal without their values does not
 * compile.
 */
import { gatherRefusals } from '#infra/refusals'
import { sayIn } from '#infra/say'
import { DEFAULT_LANGUAGE } from '#schema/kit/refusal'

/** All languages have the same placeholders: test/locales.test.ts. */
export async function placesModule(): Promise<string> {
  const say = sayIn(DEFAULT_LANGUAGE)
  const keys = [...new Set([...(await gatherRefusals()).values()].map(({ text }) => text))].sort()
  const places = keys.flatMap((key) => {
    const names = [...new Set([...say(key).matchAll(/\{(\w+)\}/g)].map(([, name]) => `'${name}'`))].sort()
    return names.length > 0 ? [`  '${key}': ${names.join(' | ')}`] : []
  })
  return `// Generated from the texts of the refusals by \`npm run generate\`; do not edit.

export type Places = {
${places.join('\n')}
}
`
}
