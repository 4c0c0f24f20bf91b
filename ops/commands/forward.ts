import { cliCommand } from '../cli-command.ts'
import { usage } from '../exit.ts'
import { forward, portOf, runHere, type Target, targetOf, type Use } from '../forward-session.ts'
import { note } from '../print.ts'

/** Runs a command with the port, and ends with its exit code. */
async function runWith(command: readonly string[], { port }: Use): Promise<void> {
  const code = await runHere(command.map((part) => part.replaceAll('{port}', String(port))))
  if (code === null) usage(`${command[0]} cannot be started`)
  process.exitCode = code ?? 0
}

export const forwardCommand = cliCommand((program) => {
  program
    .command('forward')
    .description('a TCP port of a device, or of a machine in its LAN, as a port of this machine')
    .argument('<sn>', 'serial number of the device')
    .argument(
      '<target>',
      'address:port in its LAN, such as 192.168.1.10:502; or a port of the device itself',
      targetOf,
    )
    .argument(
      '[command...]',
      'after --: run this, with {port} replaced, and end with it; default: until Ctrl-C',
    )
    .option('--local <port>', 'port of this machine; default: a free one', portOf)
    .action(
      async (
        sn: string,
        target: Target & { port: number },
        command: string[],
        { local }: { local?: number },
      ) => {
        await forward(sn, target, local ?? 0, async (opened) => {
          if (command.length > 0) return runWith(command, opened)
          note(`127.0.0.1:${opened.port} leads to ${target.host ?? sn}:${target.port}; Ctrl-C ends it`)
          return opened.ends
        })
      },
    )
})
