/** Files of a device: by SFTP where it has that, else by the commands of its shell. */
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
    (client) =>
      new Promise<DeviceFiles>((done) => {
        tunnel.once('close', () => client.destroy())
        client.on('error', () => client.destroy())
        // Dropbear answers only when it starts a program that is not there: the subsystem then closes.
        client.sftp((error, sftp) => done(error ? shellFiles(client) : sftpFiles(client, sftp)))
      }),
  )
