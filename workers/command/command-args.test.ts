import { expect, it } from 'vitest'
import { openTunnel } from '#schema/remote/open-tunnel'
import { commandPayload } from './command-args.ts'

it('a device is told host and port of the SSH server, also where its address is one of IPv6', () => {
  const toldFor = (SSH_ADDRESS: string) => {
    const env = { SSH_ADDRESS, JWT_SECRET: 'k'.repeat(43) }
    const args = { sessionId: 'a' }
    const row = { id: 'b', sn: 'R200-17', name: openTunnel.name, args, deadlineAt: new Date(0) }
    return commandPayload({ env, now: () => new Date(0) } as never, row).args
  }
  expect(toldFor('iot.example.com:2222')).toMatchObject({ host: 'iot.example.com', port: 2222 })
  expect(toldFor('[2001:db8::7]:2222')).toMatchObject({ host: '2001:db8::7', port: 2222 })
})
