import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { roomFlags } from './room-flags.ts'

it.each(Object.entries(roomFlags))('npm run %s starts the room with its options', (room, flags) => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(scripts[room]).toBe(['node', ...flags, `${room}/main.ts`].join(' '))
})
