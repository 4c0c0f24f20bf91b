import { expect, it } from 'vitest'
import { SettingError } from '#infra/env'
import { buildError } from './web-build.ts'

const failed = (stderr: string) =>
  Object.assign(new Error(`Command failed: node vite.js build\n${stderr}`), { stderr })

it('a console that this user may not build ends the start with one line that says what to do', () => {
  const error = buildError(
    failed(`failed to load config from web/vite.config.ts
error during build:
Error: EACCES: permission denied, open 'node_modules/.vite-temp/vite.config.ts.timestamp-1.mjs'
    at async open (node:internal/fs/promises:1345:25)`),
  )
  expect(error).toBeInstanceOf(SettingError)
  expect(error.message).toMatch(
    /^the console cannot be built \(EACCES: .*\): run `npm run build` in .* as the user/,
  )
  expect(error.message).not.toContain('\n')
})

it('broken sources are shown as they are', () => {
  const error = failed('web/main.tsx:1:1: ERROR: Unexpected "}"')
  expect(buildError(error)).toBe(error)
})
