/** `usign -V -q -m FILE -x SIGNATURE -P FOLDER`: the key is the file of the folder that the signature names. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPublicKey, readSignature, signerOf } from '#infra/ed25519'

const after = (flag: string) => process.argv[process.argv.indexOf(flag) + 1] ?? ''
const signature = readSignature(readFileSync(after('-x'), 'utf8'))
const file = join(after('-P'), signature?.keyName ?? 'none')
const key = existsSync(file) ? readPublicKey(readFileSync(file, 'utf8')) : null
const right = signature && key && signerOf([key], readFileSync(after('-m'), 'utf8'), signature)
process.exit(right ? 0 : 1)
