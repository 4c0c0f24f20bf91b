/** Vitest runs this before every test file. */
import { afterAll } from 'vitest'
import { closeAll, expectNothingLeft } from './after-file.ts'

afterAll(() => expectNothingLeft())
afterAll(closeAll)
