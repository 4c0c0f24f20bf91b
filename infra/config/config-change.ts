/**
 * What is sent to a device for a new document: whole packages, each with the hash it is based on and the hash it must
 * result in.
 */

import type { z } from 'zod'
import type { applyConfig } from '#schema/config/commands/config'
import { driftOf } from '#schema/config/drift'
import type { ConfigFile } from '#schema/config/page-file'
import type { UciDoc } from '#schema/config/uci'
import { configHash } from '../config-hash.ts'
import { ifReadable, seal } from '../secrets.ts'
import { type ConfigTexts, changedPackages, docOf, sealTexts, unsealTexts } from './config-store.ts'
import { desiredAfter } from './desired-after.ts'
import { filesAfter } from './known-files.ts'

/** From the row in `device_configs`. */
type Held = {
  revision: number
  packages: Readonly<Record<string, string>>
  document: string | null
  files: string | null
  desired: string | null
  ignored: readonly string[]
}

export type ConfigChange = {
  /** The arguments of the item, encrypted: they hold passwords and keys. */
  args: { revision: number; sealed: string }
  targetHash: string
  /** The change in progress, as stored in `device_configs`. */
  next: {
    revision: number
    next: string
    nextHash: string
    nextPackages: Record<string, string>
    nextFiles: string | null
    /** What is set from here afterwards, if differences stay; null: the result. */
    nextDesired: string | null
    nextDesiredHash: string | null
    nextDrift: number
  }
}

type Texts = { packages: Readonly<Record<string, string>>; texts: ConfigTexts }

/** What counts as set from here afterwards. @param result what the device has then */
function desiredNext(held: Held, { doc, after, files = [] }: Wanted, result: Texts, key: string) {
  const desired = held.desired === null ? null : ifReadable(() => docOf(unsealTexts(held.desired, key)))
  const kept = desiredAfter({ desired, doc, after, ignored: new Set(held.ignored) })
  const changed = changedPackages(after, kept)
  const filesWith = (texts: ConfigTexts) => ({ nextFiles: filesAfter(held.files, files, texts, key) })
  if (changed.length === 0)
    return { nextDesired: null, nextDesiredHash: null, nextDrift: 0, ...filesWith(result.texts) }
  const packages = { ...result.packages }
  const texts = { ...result.texts }
  for (const { name, hash, text } of changed) {
    if (hash !== null) packages[name] = hash
    if (text !== null) texts[name] = text
  }
  return {
    nextDesired: sealTexts(texts, key),
    nextDesiredHash: configHash(packages),
    nextDrift: driftOf(kept, after, new Set()).length,
    ...filesWith(texts),
  }
}

type Wanted = { doc: UciDoc; after: UciDoc; files?: readonly ConfigFile[]; confirmS: number }

/**
 * Packages that cannot be parsed are included unchanged, because they count for the hash. Returns null if nothing
 * changes.
 */
export function configChange(held: Held, wanted: Wanted, key: string): ConfigChange | null {
  const { doc, after, files = [], confirmS } = wanted
  const changed = changedPackages(doc, after)
  if (changed.length === 0) return null
  const packages: Record<string, string> = { ...held.packages }
  const texts: Record<string, string> = { ...unsealTexts(held.document, key) }
  for (const { name, hash, text } of changed) {
    delete packages[name]
    delete texts[name]
    if (hash !== null) packages[name] = hash
    if (text !== null) texts[name] = text
  }
  const hash = configHash(packages)
  const revision = held.revision + 1
  const args: z.input<typeof applyConfig.args> = {
    revision,
    base: Object.fromEntries(changed.map((one) => [one.name, held.packages[one.name] ?? null])),
    packages: changed,
    files: [...files],
    configHash: hash,
    confirmS,
  }
  return {
    args: { revision, sealed: seal(JSON.stringify(args), key) },
    targetHash: hash,
    next: {
      revision,
      next: sealTexts(texts, key),
      nextHash: hash,
      nextPackages: packages,
      ...desiredNext(held, wanted, { packages, texts }, key),
    },
  }
}
