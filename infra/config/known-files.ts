/**
 * Certificates and keys that were sent to a device and that its desired document names. The device does not report files:
 * without these, overwriting a difference would name a file that it may have lost meanwhile.
 */
import type { ConfigFile } from '#schema/config/page-file'
import { exportUci, type UciDoc } from '#schema/config/uci'
import { ifReadable } from '../secrets.ts'
import { type ConfigTexts, sealTexts, unsealTexts } from './config-store.ts'

const names = (texts: ConfigTexts, path: string) => Object.values(texts).some((text) => text.includes(path))

/** Files that were encrypted with another key are known no more. */
const knownOf = (held: string | null, key: string): ConfigTexts =>
  ifReadable(() => unsealTexts(held, key)) ?? {}

/** The known files after a change, without those that the configuration no longer names; null: none. */
export function filesAfter(
  held: string | null,
  sent: readonly ConfigFile[],
  texts: ConfigTexts,
  key: string,
): string | null {
  const known = { ...knownOf(held, key) }
  for (const { path, text } of sent) {
    delete known[path]
    if (text !== null) known[path] = text
  }
  const named = Object.entries(known).filter(([path]) => names(texts, path))
  return named.length > 0 ? sealTexts(Object.fromEntries(named), key) : null
}

/** The known files that packages of `after` name which differ from `before`. */
export function filesNamed(held: string | null, before: UciDoc, after: UciDoc, key: string): ConfigFile[] {
  const changed = Object.values(after).flatMap((one) => {
    const text = exportUci(one)
    const old = before[one.name]
    return old && exportUci(old) === text ? [] : [[one.name, text] as const]
  })
  const texts = Object.fromEntries(changed)
  return Object.entries(knownOf(held, key)).flatMap(([path, text]) =>
    names(texts, path) ? [{ path, text }] : [],
  )
}
