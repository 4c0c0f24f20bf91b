/**
 * Programs of Debian packages that are unpacked beside the tests, and not installed: installing an SSH server makes host keys and an account, and
 * starts it at the next boot, which a test must not cause.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../tracked-files.ts'

const folderOf = (name: string) => join(root, '.cache/debian', name)

/** `path`: in the package, e.g. /usr/sbin/sshd. */
export const unpackedProgram = (name: string, path: string): string => join(folderOf(name), path)

/** Downloads and unpacks a package; needs apt's lists. Whether it succeeded is seen by the program. */
export function unpack(name: string): void {
  const folder = folderOf(name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  spawnSync('apt-get', ['download', '-q', name], { cwd: folder, stdio: 'ignore' })
  const [archive] = globSync('*.deb', { cwd: folder })
  if (archive !== undefined) spawnSync('dpkg', ['-x', archive, '.'], { cwd: folder, stdio: 'ignore' })
}

const sshd = { unpacked: unpackedProgram('openssh-server', 'usr/sbin/sshd'), installed: '/usr/sbin/sshd' }
export const sshdPrograms = [sshd.unpacked, sshd.installed] as const
/** The first that is there. */
export const sshdProgram = (): string => sshdPrograms.find((path) => existsSync(path)) ?? sshd.installed

const installedBusybox = '/usr/bin/busybox'
/**
 * OpenWrt's takes its own programs before those of the PATH, as Debian's `busybox-static` does. The package `busybox`,
 * which many machines have and which cannot be there beside the other, looks for files first.
 */
export const busyboxPrograms = [
  // Before Debian 13, and since.
  unpackedProgram('busybox-static', 'bin/busybox'),
  unpackedProgram('busybox-static', 'usr/bin/busybox'),
  installedBusybox,
] as const
const hasOwnPrograms = (path: string) =>
  spawnSync(path, ['sh', '-c', 'PATH=/nonexistent; mkdir -p /'], { stdio: 'ignore' }).status === 0
/** The first that works like OpenWrt's; null: there is none. */
export const busyboxProgram: string | null =
  busyboxPrograms.find((path) => existsSync(path) && hasOwnPrograms(path)) ?? null

/** Installed, its init script would be taken for that of a device by the tests of the agent. */
export const n2nPrograms = {
  supernode: unpackedProgram('n2n', 'usr/bin/supernode'),
  edge: unpackedProgram('n2n', 'usr/sbin/edge'),
} as const
