import { applyConfig, confirmConfig, readConfig, revertConfig } from '#schema/config/commands/config'
import { config, REPORT_MAX_CHARACTERS } from '#schema/config/reported'
import { Ended, obeys } from '../command.ts'

export const obeyReadConfig = obeys(readConfig, async (part, { known }) => {
  const packages = part.config.hashes
  const texts: Record<string, string> = {}
  let left = REPORT_MAX_CHARACTERS
  let more = false
  for (const [name, hash] of Object.entries(packages)) {
    if (known[name] === hash) continue
    const text = part.config.text(name) ?? ''
    // A larger one never fits: it is left out for good. Counted in bytes: what is allowed in characters may be too long for the message.
    const size = Buffer.byteLength(text)
    if (size > REPORT_MAX_CHARACTERS) continue
    if (size > left) more = true
    else {
      texts[name] = text
      left -= size
    }
  }
  await part.report(config, { at: part.now(), configHash: part.config.hash, packages, texts, more })
  return {}
})

export const obeyApplyConfig = obeys(applyConfig, async (part, change, asked) => {
  const result = await part.trial.apply(change, asked)
  if (result.outcome === 'confirmed') return result
  const { outcome, fault, detail } = result
  const why = fault ? `${fault.package}: ${fault.reason}` : detail
  throw new Ended(why ? `${outcome}: ${why}` : outcome, result)
})

export const obeyConfirmConfig = obeys(confirmConfig, async (part, { revision }) => {
  part.trial.confirm(revision)
  return {}
})

export const obeyRevertConfig = obeys(revertConfig, async (part, { revision }) => {
  await part.trial.revertNow(revision)
  return {}
})
