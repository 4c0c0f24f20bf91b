/**
 * Who may log in on the device: by SSH with a password or only with a key, and on its web page. Passwords are no part of
 * UCI.
 */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import { flag, number, type Text, text, textOf } from '../bind.ts'
import { rowWhere as at, inRow, type RowBound, sectionOfRow } from '../bind-rows.ts'
import { configPage, type DeviceTraits, type PageFault } from '../config-page.ts'
import { rowKey, ruled } from '../page-fields.ts'
import { firstRepeated } from '../parts/repeated.ts'
import type { UciDoc } from '../uci.ts'

const dropbear = { package: 'dropbear', type: 'dropbear' } as const
const accesses = ['full', 'read', 'custom'] as const

/** Of the system, as `adduser` takes it. */
const ACCOUNT = shaped(/^([a-z_][a-z0-9_-]*)?$/, 'systemAccount')

const row = z.object({
  ...rowKey,
  username: field(
    z
      .string()
      .trim()
      .max(64)
      .regex(shaped(/^[^\s\p{Cc}]*$/u, 'noBlanks'))
      .default(''),
    { needed: true },
  ),
  account: z.string().trim().max(32).regex(ACCOUNT).default('root'),
  access: z.enum(accesses).default('full'),
})

/** One line of /etc/dropbear/authorized_keys. */
const key = z.object({
  ...rowKey,
  line: field(ruled('sshPublicKey', 4096), { input: 'area' }),
})

const body = z.object({
  passwordLogin: z.boolean().default(true),
  rootPasswordLogin: field(z.boolean().default(true), { when: { passwordLogin: [true] } }),
  rootLogin: z.boolean().default(true),
  maxTries: z.int().min(1).max(20).default(3),
  idleS: z.int().min(0).max(86_400).default(0),
  keys: z.array(key).max(32).default([]),
  logins: z.array(row).max(16).default([]),
})

/** `$p$root`: the password of this account of the system. Any other text is a hash of its own. */
const SYSTEM = '$p$'
const account: RowBound = {
  option: 'password',
  get: (found) => {
    const said = textOf(found)
    return said.startsWith(SYSTEM) ? said.slice(SYSTEM.length) : ''
  },
  // Never without a password: rpcd would accept every login.
  put: (value) => `${SYSTEM}${value || 'root'}`,
}

const items = (found: Text | undefined) =>
  found === undefined ? [] : typeof found === 'string' ? found.split(/\s+/).filter(Boolean) : found
const access: RowBound = {
  option: 'write',
  get: (found) => {
    const said = items(found)
    return said.length === 0 ? 'read' : said.includes('*') ? 'full' : 'custom'
  },
  put: (value) => (value === 'full' ? ['*'] : null),
}

const loginRows = { package: 'rpcd', type: 'login' } as const

const bounds = () => ({
  passwordLogin: flag(dropbear, 'PasswordAuth', true),
  rootPasswordLogin: flag(dropbear, 'RootPasswordAuth', true),
  rootLogin: flag(dropbear, 'RootLogin', true),
  maxTries: number(dropbear, 'MaxAuthTries', 3),
  idleS: number(dropbear, 'IdleTimeout', 0),
  // Carried out by the agent: docs/protocol.md, Packages that stock OpenWrt does not have.
  keys: { package: 'sshkeys', type: 'key', fields: { line: inRow(text(at, 'line')) } },
  logins: {
    ...loginRows,
    added: { read: ['*'] },
    fields: { username: inRow(text(at, 'username')), account, access },
  },
})

function faultsOf(
  { keys, logins }: z.output<typeof body>,
  doc: UciDoc,
  { abilities }: DeviceTraits,
): PageFault[] {
  const of = ({ id }: { id?: unknown }) => sectionOfRow(doc, loginRows, String(id ?? ''))
  const option = (login: (typeof logins)[number], name: string) =>
    of(login)?.options.find((one) => one.name === name)?.value
  return [
    ...(keys.length > 0 && !abilities.has('sshKeys')
      ? [{ path: 'keys', text: 'device-user:fault.keysUnsupported' } as const]
      : []),
    ...firstRepeated(keys, 'keys', 'line', 'device-user:fault.keyRepeated'),
    ...firstRepeated(logins, 'logins', 'username', 'device-user:fault.nameTaken'),
    ...logins.flatMap((login, i): PageFault[] => [
      // Left empty it keeps the hash that is there; there must be one.
      ...(login.account === '' && !/^(?!\$p\$).+/.test(textOf(option(login, 'password')))
        ? [{ path: `logins.${i}.account`, text: 'device-user:fault.noPassword' } as const]
        : []),
      ...(login.access === 'custom' && access.get(option(login, 'write')) !== 'custom'
        ? [{ path: `logins.${i}.access`, text: 'device-user:fault.notCustom' } as const]
        : []),
    ]),
  ]
}

export const deviceUser = configPage({
  name: 'device-user',
  group: 'security',
  place: 250,
  icon: 'users',
  packages: ['dropbear', 'rpcd', 'sshkeys'],
  carriedBy: 'stock',
  needs: [],
  trial: 'none',
  body,
  bounds,
  check: faultsOf,
})
