/** Configurations as they are stored: encrypted, because they contain the passwords and keys of the device. */
import { exportUci, parseUci, type UciDoc } from '#schema/config/uci'
import { packageHash } from '../config-hash.ts'
import { seal, unseal } from '../secrets.ts'

/** The text of each package, by its name. */
export type ConfigTexts = Readonly<Record<string, string>>

export const sealTexts = (texts: ConfigTexts, key: string): string => seal(JSON.stringify(texts), key)

/** {} for null. @throws if it was encrypted with another key */
export const unsealTexts = (sealed: string | null, key: string): ConfigTexts =>
  sealed === null ? {} : (JSON.parse(unseal(sealed, key)) as ConfigTexts)

/** Packages that cannot be parsed are left out: the device has them, but no page can show or change them. */
export function docOf(texts: ConfigTexts): UciDoc {
  const packages: UciDoc[string][] = []
  for (const [name, text] of Object.entries(texts)) {
    try {
      packages.push(parseUci(name, text))
    } catch {
      // Named by its hash, which is that of the empty text [docs/protocol.md: Configuration].
    }
  }
  return Object.fromEntries(packages.map((one) => [one.name, one]))
}

/** The packages that an edit has changed: the canonical text and its hash; null: removed. */
export function changedPackages(
  before: UciDoc,
  after: UciDoc,
): { name: string; text: string | null; hash: string | null }[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap((name) => {
    const [old, now] = [before[name], after[name]]
    const text = now ? exportUci(now) : null
    if (text === (old ? exportUci(old) : null)) return []
    return [{ name, text, hash: text === null ? null : packageHash(text) }]
  })
}
