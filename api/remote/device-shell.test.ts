import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientChannel } from 'ssh2'
import { expect, it } from 'vitest'
import { deviceShell } from './device-shell.ts'

it('begins no command while one that was broken off has not ended: Dropbear would close its channel instead of running it', async () => {
  const begun: string[] = []
  const channels: PassThrough[] = []
  const client = {
    exec: (command: string, done: (error: Error | undefined, channel: ClientChannel) => void) => {
      begun.push(command)
      const channel = Object.assign(new PassThrough(), { stderr: new PassThrough(), close: () => undefined })
      channels.push(channel)
      done(undefined, channel as unknown as ClientChannel)
    },
  }
  const shell = deviceShell(client as unknown as Client, new PassThrough())
  const { channel } = await shell.start('one')
  await shell.start('two')
  expect(begun, 'several commands may run').toEqual(['one', 'two'])
  channel.close()
  const third = shell.start('three')
  await sleep(20)
  expect(begun).toEqual(['one', 'two'])
  channels[0]?.emit('exit', 1)
  await third
  expect(begun).toEqual(['one', 'two', 'three'])
})
