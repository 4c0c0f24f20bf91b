/** What benchmarks of tunnels compare with, and routers do: a reverse forwarding of OpenSSH's client. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

type SshAccount = { port: number; username: string; password: string }

/** As devices whose processor has instructions for AES ask for it. */
export const AES_GCM = 'aes128-gcm@openssh.com'
/** As all others do, and what OpenSSH's client prefers. */
export const CHACHA20 = 'chacha20-poly1305@openssh.com'

/**
 * OpenSSH's client with one reverse forwarding, up after a while; null: it is not installed.
 */
export async function sshReverse(
  to: SshAccount,
  listen: number,
  source: number,
  cipher: string,
): Promise<(() => void) | null> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-ssh-'))
  const askpass = join(dir, 'askpass')
  writeFileSync(askpass, '#!/bin/sh\necho "$SSH_PASSWORD"\n', { mode: 0o700 })
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'NumberOfPasswordPrompts=1',
    'ExitOnForwardFailure=yes',
    `Ciphers=${cipher}`,
  ].flatMap((option) => ['-o', option])
  const forwarding = ['-R', `127.0.0.1:${listen}:127.0.0.1:${source}`, '127.0.0.1']
  const client = spawn(
    'ssh',
    ['-F', 'none', '-N', '-p', String(to.port), '-l', to.username, ...options, ...forwarding],
    {
      stdio: 'ignore',
      env: { ...process.env, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', SSH_PASSWORD: to.password },
    },
  )
  let ended = false
  client.on('error', () => {
    ended = true
  })
  client.on('exit', () => {
    ended = true
  })
  await sleep(2_000)
  rmSync(dir, { recursive: true, force: true })
  return ended ? null : () => client.kill()
}
