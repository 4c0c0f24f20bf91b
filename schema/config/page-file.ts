/**
 * Certificates and keys: on the page a text, on the device a file that an option names by its path [decisions/097].
 * The device does not report files; an empty text keeps the one that is there.
 */
import { type Bound, saidBy, sectionOf, textOf, type Where } from './bind.ts'
import type { UciDoc } from './uci.ts'

/** As a change carries it (commands/config.ts). text null: removed. */
export type ConfigFile = { readonly path: string; readonly text: string | null }

/** Programs take a PEM text without carriage returns and with a last line end everywhere. */
const normal = (text: string) => `${text.replaceAll('\r', '').trim()}\n`

/** FNV-1a: the name changes with the text, nothing depends on more. */
function mark(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

const DIRECTORY = '/etc/openvpn/'
const OWN = /^\/etc\/openvpn\/[\w-]+-[0-9a-f]{8}\.pem$/

/**
 * The text of a file whose path this option names: `/etc/openvpn/<stem>-<mark>.pem`. The path changes with the text, so
 * that the document and its hash do.
 */
export const pemFile = (where: Where, option: string, stem: string): Bound => ({
  where,
  option,
  get: () => '',
  put: (value) => `${DIRECTORY}${stem}-${mark(normal(String(value)))}.pem`,
  file: true,
})

/** Without the direction that may follow a key: `/etc/openvpn/ta.key 1`. */
const pathIn = (doc: UciDoc, { where, option }: Bound): string =>
  textOf(saidBy(sectionOf(doc, where), option)).split(/\s/)[0] ?? ''

/** A former file is removed only if a page has made it. */
export function changedFiles(doc: UciDoc, bound: Bound, text: string): ConfigFile[] {
  const path = String(bound.put(text))
  const former = pathIn(doc, bound)
  const own = { path, text: normal(text) }
  return OWN.test(former) && former !== path ? [own, { path: former, text: null }] : [own]
}
