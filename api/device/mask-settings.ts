/**
 * Settings without passwords and keys, for display. Equal secrets have equal masks, so that a comparison shows whether
 * one has changed. The file itself contains the secrets, and its downloads are logged.
 */
import { createHmac } from 'node:crypto'
import { exportUci, parseUci, type UciOption, type UciPackage } from '#schema/config/uci'
import { maskDoc, UCI_MASK } from '#schema/config/uci-secrets'

const UCI_FILE = /^etc\/config\/([^/]+)$/
/** Files that are secrets as a whole. */
const SECRET_FILE = /^etc\/(shadow|ppp\/(chap|pap)-secrets|ipsec\.secrets|swanctl\/private\/|dropbear\/.*key)/
const PEM_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----|-----BEGIN OpenVPN Static key/
const MARK_LENGTH = 4
/** Hash of the canonical text; absent for a file. */
const PACKAGE_LINE = /^package [^\n]*\n\n?/

/** Both packages are the same document; `masked` has the mask in place of each secret. */
function markSecrets(real: UciPackage, masked: UciPackage, mark: (secret: string) => string): UciPackage {
  const marked = (value: UciOption['value']) =>
    typeof value === 'string' ? mark(value) : value.map((item) => mark(item))
  return {
    ...real,
    sections: real.sections.map((section, i) => ({
      ...section,
      options: section.options.map((option, j) => {
        const shown = masked.sections[i]?.options[j]?.value
        return shown !== undefined && [shown].flat().includes(UCI_MASK)
          ? { ...option, value: marked(option.value) }
          : option
      }),
    })),
  }
}

/** The text of a file for people; null: it cannot be shown. `key`: of this installation, never shown. */
export function maskSettings(path: string, text: string, key: string): string | null {
  if (SECRET_FILE.test(path) || (PEM_KEY.test(text) && !UCI_FILE.test(path))) return null
  const name = UCI_FILE.exec(path)?.[1]
  if (name === undefined) return text
  const mark = (secret: string) =>
    `${UCI_MASK}${createHmac('sha256', key).update(secret).digest('hex').slice(0, MARK_LENGTH)}`
  try {
    const real = parseUci(name, text)
    const masked = maskDoc({ [name]: real })[name]
    if (!masked || exportUci(masked) === exportUci(real)) return text
    // Rewritten, because a comment may repeat the secret.
    return exportUci(markSecrets(real, masked, mark)).replace(PACKAGE_LINE, '')
  } catch {
    // A device could not read it, so it is unknown which parts are secret.
    return null
  }
}

/** The files of an archive, for display. */
export const shownFiles = <F extends { path: string; text: string | null }>(
  files: readonly F[],
  key: string,
): F[] =>
  files.map((file) => ({
    ...file,
    text: file.text === null ? null : maskSettings(file.path, file.text, key),
  }))
