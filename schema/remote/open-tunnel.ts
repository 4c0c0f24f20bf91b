/**
 * The command with which a device opens its tunnel: the credential is created when the command is sent, and never
 * stored.
 */

import { z } from 'zod'
import { command } from '../kit/command.ts'
import { field, secret } from '../kit/field.ts'
import { deviceTime } from '../kit/time.ts'
import { remoteOperationPermission } from './remote-access.ts'

/** Validity of a tunnel credential, from the time its command is sent. */
export const CREDENTIAL_MS = 60_000

const port = z.int().min(1).max(65_535)

export const openTunnel = command({
  name: 'openTunnel',
  permission: remoteOperationPermission,
  summary:
    'Opens a reverse SSH tunnel with its SSH client: `ssh -N -R 127.0.0.1:{listenPort}:{targetHost}:{targetPort} {username}@{host} -p {port}`, with `password`, which can be used once and until `expiresAt`. The server must show exactly `hostKey`; otherwise do not connect. `done` when the server has accepted the forwarding; the tunnel then stays open until the server closes it, or its connection breaks: do not open it again by yourself, the platform asks for it with another command. Answer keepalives, forward nothing else, and start no shell. `password` is written to no log and to no file that others can read. Firmware without an SSH client leaves `openTunnel` out of `hello.features`.',
  args: z.object({
    sessionId: z.uuid(),
    host: z.string().min(1).max(253),
    port,
    username: z.string().max(64).describe('the serial number'),
    password: secret(z.string().max(200)),
    hostKey: field(z.string().max(200), { secret: false }).describe(
      'type and key in base64, as in known_hosts',
    ),
    expiresAt: deviceTime,
    listenPort: port.describe('the port to ask the server for; it opens none'),
    targetHost: z.string().min(1).max(45).describe('an IPv4 address: the device itself, or in its LAN'),
    targetPort: port,
  }),
  reply: z.object({}),
  deadlineS: 30,
  repeatSafe: true,
  verify: 'reply',
  effect: 'harmless',
  confirm: 'none',
  platformOnly: true,
  exampleArgs: {
    sessionId: '0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b66',
    host: 'iot.example.com',
    port: 2222,
    username: 'SN-0001',
    password: '0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b66.1795226520000.d8Yb0n2pX4cVq7RkLm1sTf5hWz9uEaJg',
    hostKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKzvWrYjV8l0WcX8S2wT0r2b1W0fXk8r3h0tq6uQ9xYz',
    expiresAt: 1795226520000,
    listenPort: 2200,
    targetHost: '127.0.0.1',
    targetPort: 22,
  },
  exampleReply: {},
})
