/** Files of a device: by SFTP if it supports that, else by scp, else by shell commands alone. */
import type { Duplex } from 'node:stream'
import type { Client } from 'ssh2'
import type { DeviceFiles } from './device-file.ts'
import { deviceShell } from './device-shell.ts'
import { logIn } from './open-shell.ts'
import { scpFiles } from './scp-files.ts'
import { sftpFiles } from './sftp-files.ts'
import { shellFiles } from './shell-files.ts'
import type { Tunnel } from './tunnels.ts'

type Account = { username: string; password: string }

async function withoutSftp(client: Client, line: Duplex): Promise<DeviceFiles> {
  const shell = deviceShell(client, line)
  const byShell = shellFiles(shell, () => client.end())
  const hasScp = await shell.run('command -v scp').then(
    () => true,
    () => false,
  )
  return hasScp ? scpFiles(shell, byShell) : byShell
}

/** @param over called once, when the device has ended the connection. @throws ShellFault */
export const openDeviceFiles = (
  tunnel: Tunnel,
  account: Account,
  over: () => void = () => undefined,
): Promise<DeviceFiles> =>
  logIn(
    tunnel,
    account,
    (client, line) =>
      new Promise<DeviceFiles>((done) => {
        tunnel.once('close', () => client.destroy())
        client.on('error', () => client.destroy())
        client.once('close', over)
        // Dropbear accepts the subsystem even if the SFTP server is not installed; the channel then closes at once.
        client.sftp((error, sftp) => done(error ? withoutSftp(client, line) : sftpFiles(client, sftp)))
      }),
  )
