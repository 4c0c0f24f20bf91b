/** Runs the command line as a script would. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../ops/main.ts', import.meta.url))

type Ended = { code: number | null; out: string; err: string }

/** `home`: where it keeps its login. `input` is its standard input. */
export const opsAgainst =
  (url: string, home: string) =>
  (args: string[], env: Record<string, string> = {}, input = ''): Promise<Ended> => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'en_US.UTF-8', IOT_URL: url, ...env },
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (part) => {
      out += part
    })
    child.stderr.on('data', (part) => {
      err += part
    })
    child.stdin.end(input)
    return new Promise((done) => child.on('close', (code) => done({ code, out, err })))
  }
