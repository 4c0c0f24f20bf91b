/** Files of a device: by SFTP if it supports that, else by shell commands. */
import type { DeviceFiles } from './device-file.ts'
import { logIn } from './open-shell.ts'
import { sftpFiles } from './sftp-files.ts'
import { shellFiles } from './shell-files.ts'
import type { Tunnel } from './tunnels.ts'

type Account = { username: string; password: string }

/** @throws ShellFault */
export const openDeviceFiles = (tunnel: Tunnel, account: Account): Promise<DeviceFiles> =>
  logIn(
    tunnel,
    account,
    (client, line) =>
      new Promise<DeviceFiles>((done) => {
        tunnel.once('close', () => client.destroy())
        client.on('error', () => client.destroy())
        // Dropbear accepts the subsystem even if the SFTP server is not installed; the channel then closes at once.
        client.sftp((error, sftp) => done(error ? shellFiles(client, line) : sftpFiles(client, sftp)))
      }),
  )
