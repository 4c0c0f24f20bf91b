/** The keys that a device trusts, put there by its owner; with any, no package without their signature is installed. */
import { type PublicKey, readPublicKey, readSignature, signerOf } from '#infra/ed25519'
import { signedText } from '#schema/task/signed-package'
import type { Offer } from './fetch-package.ts'
import { DownloadFailed } from './outcome.ts'

/** @throws for a text that is no key */
export const trustedKeys = (texts: readonly string[]): readonly PublicKey[] =>
  texts.map((text) => readPublicKey(text) ?? fail(text))
const fail = (text: string): never => {
  throw new Error(`no Ed25519 key: ${text.slice(0, 20)}`)
}

/** Settings are signed by nobody: they are their owner's, and come from the platform. @throws DownloadFailed */
export function checkTrusted(keys: readonly PublicKey[], offer: Offer): void {
  if (keys.length === 0 || offer.type === 'config') return
  const signature = offer.signature === undefined ? null : readSignature(offer.signature)
  if (!signature) throw new DownloadFailed('packageVerifyFailed', 'it is not signed')
  const { sha256, sizeBytes, type, model = '', version = '', name } = offer
  const text = signedText({ sha256, sizeBytes, type, model, version, name })
  if (!signerOf(keys, text, signature))
    throw new DownloadFailed('packageVerifyFailed', 'it is not signed by a key that this device trusts')
}
