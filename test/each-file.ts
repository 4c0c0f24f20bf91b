/** Vitest runs this before every test file. */
import { afterAll, afterEach } from 'vitest'
import { closeAll, expectNothingLeft, openNow } from './after-file.ts'
import { tellFailure } from './browser/watched-browser.ts'

const before = openNow()
afterAll(() => expectNothingLeft(before))
afterAll(() => closeAll())
afterEach(({ task }) => tellFailure(task))
