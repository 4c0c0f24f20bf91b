/** Vitest runs this before every test file. */
import { afterAll } from 'vitest'
import { closeAll, expectNothingLeft, openNow } from './after-file.ts'

const before = openNow()
afterAll(() => expectNothingLeft(before))
afterAll(closeAll)
