import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { roomFlags } from './room-flags.ts'

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

it.each(Object.entries(roomFlags))('npm run %s starts the room with its options', (room, flags) => {
  expect(scripts[room]).toBe(['exec node', ...flags, `${room}/main.ts`].join(' '))
})

// npm passes a signal to the shell that it started and to nothing else: without `exec` that shell ends, npm with it,
// and the platform goes on without either, holding its ports and its database.
it.each(['start', 'dev', 'migrate', 'device-sim', ...Object.keys(roomFlags)])(
  'SIGTERM to the npm of `npm run %s` reaches the process itself',
  (name) => {
    expect(scripts[name]).toMatch(/^exec node /)
  },
)
