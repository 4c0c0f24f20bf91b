import { cliCommand } from '../cli-command.ts'
import { forward, portOf, runHere } from '../forward-session.ts'
import { note } from '../print.ts'

export const sshCommand = cliCommand((program) => {
  program
    .command('ssh')
    .description("the system's ssh to a device")
    .argument('<sn>', 'serial number of the device')
    .argument('[args...]', 'after --: arguments of ssh, such as a command')
    .option('--user <name>', 'account of the device', 'root')
    .option('--port <port>', 'of its SSH server', portOf, 22)
    .option('--print', 'print the command instead, and keep the port open until Ctrl-C')
    .action(async (sn: string, args: string[], options: { user: string; port: number; print?: true }) => {
      await forward(sn, { port: options.port }, 0, async (opened) => {
        // Every device is 127.0.0.1 here: its key is kept under its serial number.
        const line = ['ssh', '-p', String(opened.port), '-o', `HostKeyAlias=${sn}`, '-l', options.user]
        const command = [...line, '127.0.0.1', ...args]
        if (!options.print) {
          const code = await runHere(command)
          if (code !== null) {
            process.exitCode = code
            return
          }
          note('there is no ssh here; any other SSH client does:')
        }
        process.stdout.write(`${command.join(' ')}\n`)
        return opened.ends
      })
    })
})
