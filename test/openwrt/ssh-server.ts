/**
 * A router's own SSH server, Dropbear's or OpenSSH's, in a mount namespace of its own: there it has one unprivileged account with a
 * random password, and BusyBox's ash as its shell. Nothing of this machine's accounts is read or changed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#infra/embedded-postgres'
import { hostKeyFile } from '#infra/remote-key'
import { busyboxProgram, sshdProgram } from '../programs/unpacked.ts'
import { until } from '../walks/until.ts'

const programs = {
  Dropbear: '/usr/sbin/dropbear',
  OpenSSH: sshdProgram(),
} as const
export type SshServer = keyof typeof programs

const canHide = () => {
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' })
    return process.getuid?.() === 0 && busyboxProgram !== null
  } catch {
    return false
  }
}
/** Why it cannot be tried here; null: it can. */
export const sshServerMissing = (name: SshServer): string | null =>
  !existsSync(programs[name])
    ? `${programs[name]} is not there`
    : canHide()
      ? null
      : 'there are no mount namespaces for this user'

export type RunningSsh = { port: number; username: string; password: string; close(): void }

export async function startSshServer(name: SshServer): Promise<RunningSsh> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-sshd-'))
  // Its account reads its home below it.
  chmodSync(dir, 0o755)
  const [port, username, password] = [await freePort(), 'keeper', randomBytes(12).toString('hex')]
  const hash = execFileSync('openssl', ['passwd', '-6', password], { encoding: 'utf8' }).trim()
  const file = (path: string, text: string, mode = 0o644) => {
    writeFileSync(join(dir, path), text, { mode })
    return join(dir, path)
  }
  const home = join(dir, 'home')
  mkdirSync(home)
  // Whatever the umask is: it is another account's.
  chmodSync(home, 0o777)
  file('home/ports.txt', '502\n')
  const passwd = file(
    'passwd',
    `root:x:0:0:root:/:/bin/false\n${username}:x:65534:65534::${home}:/bin/sh\nsshd:x:65533:65533::/run/sshd:/bin/false\n`,
  )
  const shadow = file(
    'shadow',
    `root:*:20000::::::\n${username}:${hash}:20000::::::\nsshd:*:20000::::::\n`,
    0o600,
  )
  const key = file('key', hostKeyFile(randomBytes(32).toString('hex')), 0o600)
  const settings = file(
    'sshd_config',
    `ListenAddress 127.0.0.1:${port}\nHostKey ${key}\nUsePAM no\nPidFile none\nPasswordAuthentication yes\nSubsystem sftp internal-sftp\n`,
  )
  const own = name === 'Dropbear' ? join(dir, 'dropbear_key') : key
  if (name === 'Dropbear') execFileSync('dropbearkey', ['-t', 'ed25519', '-f', own], { stdio: 'ignore' })
  const start =
    name === 'Dropbear'
      ? `exec ${programs.Dropbear} -F -E -m -p 127.0.0.1:${port} -r ${own} -P ${join(dir, 'pid')}`
      : `exec ${programs.OpenSSH} -D -e -f ${settings}`
  const lines = `set -e
    mount --bind ${passwd} /etc/passwd; mount --bind ${shadow} /etc/shadow
    mount -t tmpfs none /run; mkdir -m 755 /run/sshd
    mount --bind '${busyboxProgram}' "$(readlink -f /bin/sh)"
    ${start}`
  const child: ChildProcess = spawn('unshare', ['-m', '/bin/bash', '-c', lines], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let said = ''
  child.stderr?.on('data', (part) => (said += String(part)))
  const answers = () =>
    new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('data', () => done(true)).once('error', () => done(false))
      socket.once('close', () => done(false)).setTimeout(2_000, () => socket.destroy())
      socket.once('data', () => socket.destroy())
    })
  await until(`${name} answers`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`)
    return answers()
  })
  return {
    port,
    username,
    password,
    close: () => {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
