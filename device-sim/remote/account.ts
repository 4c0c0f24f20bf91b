/** The account `root`: without a password until one is set, as OpenWrt leaves the factory. */
import { hashSecret, sameText } from '#infra/secrets'
import type { Part } from '../world.ts'

export function isRoot(part: Part, account: string, password: string): boolean {
  const kept = part.settings.get('rootPassword')
  return account === 'root' && (kept === null ? password === '' : sameText(hashSecret(password), kept))
}
