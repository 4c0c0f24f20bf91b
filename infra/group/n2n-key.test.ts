import { expect, it } from 'vitest'
import { n2nPublicKey } from './n2n-key.ts'

it('keys equal those that n2n-keygen prints (n2n doc/Authentication.md)', () => {
  expect(n2nPublicKey('logan', '007')).toBe('nHWum+r42k1qDXdIeH-WFKeylK5UyLStRzxofRNAgpG')
  expect(n2nPublicKey('sister', '007')).toBe('HwHpPrdMft+38tFDDiunUds6927t0+zhCMMkQdJafcC')
})
