import type { Command } from 'commander'
import { getRemoteTicket, openRemote, openRemoteLan } from '#schema/remote/remote-session'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { usage } from '../exit.ts'
import { portOf, type Target, targetOf } from '../forward-session.ts'
import { note, printOne } from '../print.ts'
import { whenConnected } from '../remote-session.ts'
import { oneDevice } from '../target.ts'

type WebOptions = { lan?: Target & { port: number }; port?: number; https?: true }

async function printWeb(sn: string, { lan, port, https }: WebOptions, command: Command): Promise<void> {
  const body = { deviceId: await oneDevice(sn), scheme: https ? ('https' as const) : ('http' as const) }
  const opened = lan
    ? await ask(openRemoteLan, {
        ...body,
        host: lan.host ?? usage('--lan needs address:port'),
        port: lan.port,
      })
    : await ask(openRemote, { ...body, kind: 'web', port })
  const session = await whenConnected(opened)
  const { url } = await ask(getRemoteTicket, { sessionId: session.sessionId })
  if (formatOf(command) === 'json') printOne('json', { url, expiresAt: session.expiresAt })
  else process.stdout.write(`${url}\n`)
  note(
    `opens once, within 30 s; the session lasts until ${session.expiresAt}, or until nothing happens for long`,
  )
}

export const webCommand = cliCommand((program) => {
  program
    .command('web')
    .description('prints the address under which the web page of a device opens')
    .argument('<sn>', 'serial number of the device')
    .option('--lan <address:port>', 'the page of a machine in its LAN instead', targetOf)
    .option('--port <port>', 'of the device; default: 80 or 443', portOf)
    .option('--https', 'the page is encrypted')
    .action((sn: string, options: WebOptions, command: Command) => printWeb(sn, options, command))
})
