/** The n2n account of a group [§3 Group, §5]: its rules, and the defaults of the bridging toggle. */
import { z } from 'zod'
import { field, labelled } from '../kit/field.ts'
import { flag } from '../kit/flag.ts'
import { shaped } from '../kit/shape.ts'

/** [§3] Whether several people may log in at the same time. */
export const loginTypes = ['allow', 'disallow'] as const
export const LOGIN_NUM_MAX = 100

/** [§9] docs/decisions/027: both ends included. */
export const REMOTE_MIN = 6
export const REMOTE_MAX = 18

/** Also the name of the n2n community, where `. * + ? [ ] \` and spaces have a special meaning. */
export const remoteAccount = z
  .string()
  .trim()
  .min(REMOTE_MIN)
  .max(REMOTE_MAX)
  .regex(shaped(/^[A-Za-z0-9_-]+$/, 'account'))

/** ASCII letters, digits and punctuation; no Chinese characters, no spaces. */
export const remotePassword = field(
  z
    .string()
    .min(REMOTE_MIN)
    .max(REMOTE_MAX)
    .regex(shaped(/^[!-~]+$/, 'ascii')),
  { input: 'password' },
)

/** n2n truncates user names to this length (N2N_DESC_SIZE), also in `-I` of edges. */
const N2N_USER_MAX = 15
export const n2nUserName = (account: string) => account.slice(0, N2N_USER_MAX)

export const MASK_BITS_MIN = 8
export const MASK_BITS_MAX = 30

/** The fields of a group's account in an edit. */
export const remoteFields = labelled(
  {
    name: remoteAccount.optional().describe('remote account, unique; also the n2n community'),
    password: remotePassword.optional(),
    ip: z.ipv4().optional(),
    loginType: z.enum(loginTypes).optional(),
    loginNum: z.coerce.number().int().min(1).max(LOGIN_NUM_MAX).optional(),
    n2nInfoBridge: flag.optional().describe('another value resets the remote IP'),
    n2nIfnoMaskbit: z.coerce.number().int().min(MASK_BITS_MIN).max(MASK_BITS_MAX).optional(),
  },
  {
    name: 'group:column.name',
    password: 'group:field.password',
    ip: 'group:column.ip',
    loginType: 'group:field.loginType',
    loginNum: 'group:field.loginNum',
    n2nInfoBridge: 'group:field.bridge',
    n2nIfnoMaskbit: 'group:field.maskBits',
  },
)

/** [§4] The remote IP that the toggle sets: the LAN default of gateways, or a network of n2n's own range. */
export const remoteDefaults = {
  bridged: { ip: '192.168.1.1', maskBits: 24 },
  unbridged: { ip: '10.128.0.1', maskBits: 24 },
} as const
export const remoteDefault = (bridged: boolean) => remoteDefaults[bridged ? 'bridged' : 'unbridged']

const asNumber = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const asText = (value: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')

/** The network of an address, e.g. `10.128.0.0/24`. */
export function networkOf(ip: string, maskBits: number): string {
  const size = 2 ** (32 - maskBits)
  return `${asText(Math.floor(asNumber(ip) / size) * size)}/${maskBits}`
}
