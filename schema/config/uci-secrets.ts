/** Which options of a router's configuration are secrets. */
import type { UciDoc, UciOption, UciPackage } from './uci.ts'
import { matchSections } from './uci-match.ts'

/** Replaces a secret; its length is independent of the secret's. */
export const UCI_MASK = '***'

/** Endings too: `auth_secret`, `api_key`, `smtp_password`. */
const secretName =
  /(^|_)(key[1-4]?|keys|password|passwd|passphrase|pass|passcode|pwd|pin|pincode|pukcode|puk|psk|secret|token|apikey|credential|credentials)$|^(private_?key|preshared_?key|sae_password|priv_key_pwd|r[01]kh|wpakey|userpass|auth_user_pass|askpass)/i

/** Public or a path, whatever they are called. */
const openNames = new Set(['public_key', 'host_key', 'authorized_keys', 'server_key', 'default_key'])

/** Names that are a secret in one package only, or in one not. */
const byPackage: Readonly<Record<string, { readonly secret?: RegExp; readonly open?: RegExp }>> = {
  n2n: { secret: /^(key|password)$/ },
  snmpd: { secret: /^(community|authpassphrase|privpassphrase|passphrase)$/i },
  ddns: { secret: /^(password|param_enc)$/ },
  uhttpd: { open: /^key$/ },
  nginx: { open: /^ssl_certificate_key$/ },
}

const PEM_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----|-----BEGIN OpenVPN Static key/

/** Also an option whose value turns out to be a private key is masked by `maskDoc`, whatever its name. */
export function isSecretOption(pkg: string, type: string, option: string): boolean {
  const own = byPackage[pkg]
  if (own?.open?.test(option)) return false
  if (own?.secret?.test(option)) return true
  // A switch's pin is where it is soldered to.
  if (type === 'gpio_switch' || openNames.has(option)) return false
  return secretName.test(option)
}

const isSecretValue = (value: UciOption['value']): boolean =>
  [value].flat().some((text) => PEM_KEY.test(text))

const maskPackage = (pkg: UciPackage): UciPackage => ({
  ...pkg,
  sections: pkg.sections.map((section) => ({
    ...section,
    options: section.options.map(({ name, value }) =>
      isSecretOption(pkg.name, section.type, name) || isSecretValue(value)
        ? { name, value: typeof value === 'string' ? UCI_MASK : value.map(() => UCI_MASK) }
        : { name, value },
    ),
  })),
})

/** The same document with every secret replaced by the same mask. */
export const maskDoc = (doc: UciDoc): UciDoc =>
  Object.fromEntries(Object.entries(doc).map(([name, pkg]) => [name, maskPackage(pkg)]))

/**
 * An option with its own secrets in place of the masks, one by one: a list may have got further items. null: not as many masks
 * as there are secrets, and nothing says which of them are meant.
 */
function withSecrets(option: UciOption, own: UciOption | undefined): UciOption | null {
  const secrets = [own?.value ?? []].flat()
  const said = [option.value].flat()
  if (said.filter((item) => item === UCI_MASK).length !== secrets.length) return null
  const waiting = [...secrets]
  const items = said.map((item) => (item === UCI_MASK ? (waiting.shift() ?? item) : item))
  return { name: option.name, value: typeof option.value === 'string' ? (items[0] ?? '') : items }
}

/**
 * `given` with the secrets of `known` in place of their masks: of the same section, which is found as differences find it.
 * `lacking`: the first mask without a secret behind it.
 */
export function unmaskDoc(given: UciDoc, known: UciDoc): { doc: UciDoc; lacking: string | null } {
  let lacking: string | null = null
  const unmasked = (pkg: UciPackage): UciPackage => {
    const before = known[pkg.name]
    const pairs = new Map((before ? matchSections(before, pkg) : []).map((one) => [one.after, one.before]))
    return {
      ...pkg,
      sections: pkg.sections.map((section, index) => ({
        ...section,
        options: section.options.map((option) => {
          if (![option.value].flat().includes(UCI_MASK)) return option
          const own = before?.sections[pairs.get(index) ?? -1]?.options.find(
            ({ name }) => name === option.name,
          )
          const whole = withSecrets(option, own)
          if (!whole) lacking ??= [pkg.name, section.name ?? `@${section.type}`, option.name].join('.')
          return whole ?? option
        }),
      })),
    }
  }
  const doc = Object.fromEntries(Object.entries(given).map(([name, pkg]) => [name, unmasked(pkg)]))
  return { doc, lacking }
}
