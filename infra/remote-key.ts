/**
 * The SSH server's host key and the one-time credentials of tunnels. Both are derived from JWT_SECRET, so the workers
 * that send them and the api that checks them need no shared file, and neither is stored [decisions/101].
 */
import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto'
import { sameText, sign } from './secrets.ts'

const TYPE = 'ssh-ed25519'
/** PKCS #8 of an Ed25519 key up to its 32 bytes of seed [RFC 8410, section 7]. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

const field = (part: string | Buffer): Buffer => {
  const bytes = Buffer.from(part as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function keysOf(jwtSecret: string): { seed: Buffer; open: Buffer } {
  const seed = createHmac('sha256', jwtSecret).update('ssh-host-key').digest()
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(secret).export({ format: 'jwk' })
  return { seed, open: Buffer.from(x, 'base64url') }
}

const blobOf = (open: Buffer) => Buffer.concat([field(TYPE), field(open)])

/** `ssh-ed25519 AAAA…`, as in known_hosts: what devices compare the server's key with. */
export const hostKeyLine = (jwtSecret: string): string =>
  `${TYPE} ${blobOf(keysOf(jwtSecret).open).toString('base64')}`

/** The private key as OpenSSH writes it, without a passphrase [OpenSSH PROTOCOL.key]. */
export function hostKeyFile(jwtSecret: string): string {
  const { seed, open } = keysOf(jwtSecret)
  const check = seed.subarray(0, 4)
  const body = [check, check, field(TYPE), field(open), field(Buffer.concat([seed, open])), field('')]
  const plain = Buffer.concat(body)
  const padding = Buffer.from(Array.from({ length: (8 - (plain.length % 8)) % 8 }, (_, i) => i + 1))
  const one = Buffer.from([0, 0, 0, 1])
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(field),
    one,
    field(blobOf(open)),
    field(Buffer.concat([plain, padding])),
  ])
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}

/**
 * Valid for one command only: when another command reopens the tunnel of a session, the previous credential becomes
 * invalid.
 */
type Credential = { sessionId: string; commandId: string; sn: string; expiresAt: number }

const mark = (jwtSecret: string, { sessionId, commandId, sn, expiresAt }: Credential) =>
  sign(jwtSecret, `tunnel:${sessionId}:${commandId}:${sn}:${expiresAt}`)

/** The password with which a device opens one tunnel. */
export const tunnelPassword = (jwtSecret: string, credential: Credential): string =>
  `${credential.sessionId}.${credential.commandId}.${credential.expiresAt}.${mark(jwtSecret, credential)}`

/**
 * The session and the command that the password is for; null: it was not issued by us, is for another device, or has
 * expired.
 */
export function readTunnelPassword(
  jwtSecret: string,
  sn: string,
  password: string,
  nowMs: number,
): Pick<Credential, 'sessionId' | 'commandId'> | null {
  const [sessionId = '', commandId = '', at = '', given = ''] = password.split('.')
  const expiresAt = Number(at)
  if (!Number.isSafeInteger(expiresAt) || expiresAt < nowMs) return null
  return sameText(given, mark(jwtSecret, { sessionId, commandId, sn, expiresAt }))
    ? { sessionId, commandId }
    : null
}
