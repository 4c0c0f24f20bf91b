/** Public keys of SSH, as lines of `authorized_keys`. */

const TYPES =
  'ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\\.com'
const OPTION = '[a-z0-9-]+(?:="(?:[^"\\\\]|\\\\.)*")?'
const LINE = new RegExp(
  `^(?:${OPTION}(?:,${OPTION})* )?(${TYPES}) ([A-Za-z0-9+/]{40,}={0,2})(?: [^\\p{Cc}]*)?$`,
  'u',
)

/** The key begins with the length and the name of its type; a text that was cut or joined does not. */
export function isSshPublicKey(text: string): boolean {
  const [, type = '', base64 = ''] = LINE.exec(text) ?? []
  if (type === '' || base64.length % 4 !== 0) return false
  const bytes = atob(base64)
  const partEnds: number[] = []
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = [0, 1, 2, 3].reduce((sum, i) => sum * 256 + bytes.charCodeAt(at + i), 0)
    at += 4 + length
    partEnds.push(at)
  }
  return (
    bytes.slice(4, 4 + type.length) === type &&
    partEnds[0] === 4 + type.length &&
    partEnds.at(-1) === bytes.length
  )
}
