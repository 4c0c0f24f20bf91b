import { PassThrough } from 'node:stream'
import type { Client, ClientChannel } from 'ssh2'
import { expect, it } from 'vitest'
import { deviceShell } from './device-shell.ts'

/** Refuses the commands whose numbers are given. */
function device(refused: readonly number[]) {
  const begun: string[] = []
  const client = {
    exec: (command: string, done: (error?: Error, channel?: ClientChannel) => void) => {
      if (refused.includes(begun.push(command))) return done(new Error('Unable to exec'))
      const channel = Object.assign(new PassThrough(), { stderr: new PassThrough(), close: () => undefined })
      done(undefined, channel as unknown as ClientChannel)
    },
  }
  return { begun, shell: deviceShell(client as unknown as Client, new PassThrough()) }
}

it('a command is tried again when Dropbear closes its channel, because one that was broken off has just ended', async () => {
  const { begun, shell } = device([2, 3])
  const { channel } = await shell.start('one')
  channel.close()
  await shell.start('two')
  expect(begun).toEqual(['one', 'two', 'two', 'two'])
})

it('what the device refuses is refused, at once where nothing was broken off', async () => {
  const always = device([1, 2])
  await expect(always.shell.start('one')).rejects.toThrow('Unable to exec')
  expect(always.begun).toEqual(['one'])
  const later = device([2, 3, 4, 5, 6, 7])
  const { channel } = await later.shell.start('one')
  channel.close()
  await expect(later.shell.start('two')).rejects.toThrow('Unable to exec')
  expect(later.begun).toHaveLength(6)
})
