/** The browser of tests and benchmarks. The headless shell needs a tenth less processor time than all of Chromium. */
import { existsSync } from 'node:fs'

/** The preferred one first. */
export const browserPrograms = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

export const browserProgram = browserPrograms.find((program) => existsSync(program))
