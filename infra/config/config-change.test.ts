import { expect, it } from 'vitest'
import { exportUci, parseUci, type UciDoc } from '#schema/config/uci'
import { packageHash } from '../config-hash.ts'
import { configChange } from './config-change.ts'
import { sealTexts, unsealTexts } from './config-store.ts'

const KEY = 'k'.repeat(43)
const OWN = '/etc/openvpn/client-cert-0123abcd.pem'
const docOf = (cert: string, verb: number): UciDoc => ({
  openvpn: parseUci('openvpn', `config openvpn 'office'\n\toption cert '${cert}'\n\toption verb '${verb}'\n`),
})
const textsOf = (doc: UciDoc) =>
  Object.fromEntries(Object.values(doc).map((one) => [one.name, exportUci(one)]))

const changed = (doc: UciDoc, after: UciDoc) => {
  const texts = textsOf(doc)
  const held = {
    revision: 1,
    packages: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, packageHash(text)])),
    document: sealTexts(texts, KEY),
    files: sealTexts({ [OWN]: 'a certificate' }, KEY),
    desired: sealTexts(textsOf(docOf(OWN, 3)), KEY),
    ignored: [],
  }
  const next = configChange(held, { doc, after, confirmS: 0 }, KEY)?.next
  if (!next) throw new Error('it changes something')
  return next
}

it('a certificate stays known while the option that names it differs on the device', () => {
  const next = changed(docOf('/etc/openvpn/other.crt', 3), docOf('/etc/openvpn/other.crt', 5))
  expect(next.nextDrift).toBe(1)
  expect(unsealTexts(next.nextDesired, KEY)).toEqual(textsOf(docOf(OWN, 5)))
  expect(unsealTexts(next.nextFiles, KEY)).toEqual({ [OWN]: 'a certificate' })
})

it('what the device has after a change is what is set, where nothing differs', () => {
  const next = changed(docOf(OWN, 3), docOf('/etc/openvpn/other.crt', 3))
  expect(next).toMatchObject({ nextDesired: null, nextDesiredHash: null, nextDrift: 0, nextFiles: null })
})
