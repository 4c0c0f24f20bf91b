/** A vendor's key pair, and what its tools write. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { readPublicKey, signifyLine } from '#infra/ed25519'
import { signedText } from '#schema/task/signed-package'

export function makeSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const key = readPublicKey(pem)
  if (!key) throw new Error('a key cannot be read')
  const signatureOf = (of: Parameters<typeof signedText>[0]) =>
    sign(null, Buffer.from(signedText(of)), privateKey)
  return {
    pem,
    keyName: key.keyName,
    /** The file among the keys that a router trusts. */
    deviceFile: `untrusted comment: ${key.keyName}\n${signifyLine(key)}\n`,
    /** Base64, as openssl makes it. */
    plain: (of: Parameters<typeof signedText>[0]) => signatureOf(of).toString('base64'),
    /** The line that usign writes. */
    signify: (of: Parameters<typeof signedText>[0]) =>
      signifyLine({ keyName: key.keyName, bytes: signatureOf(of) }),
  }
}
