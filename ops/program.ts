/** The command line for scripts: every declared call, and workflows that scripts need. */
import { Command, CommanderError, Option } from 'commander'
import { gather, wordsIn } from '#infra/gather'
import { type CliCommand, isCliCommand } from './cli-command.ts'
import { Exit, exitCodes, exitHelp } from './exit.ts'
import { note } from './print.ts'

const program = new Command('ops')
  .description('Operates the IoT cloud platform from a shell.')
  .addOption(
    new Option('-o, --output <format>', 'how results are printed')
      .choices(['table', 'json'])
      .default('table'),
  )
  .addHelpText('afterAll', exitHelp)
  .exitOverride()
  .showHelpAfterError('(see --help)')

const folder = new URL('./commands/', import.meta.url)
/** A command is in the file of its name: loading those of all the others takes longer than most commands. */
async function commandsFor(args: readonly string[]): Promise<readonly CliCommand[]> {
  // Options define which words are their values. `--help` without a command lists all commands.
  const [first, second] = program.parseOptions([...args]).operands
  const called = first === 'help' ? second : first
  return called !== undefined && wordsIn(folder).includes(called)
    ? Object.values(await import(new URL(`${called}.ts`, folder).href)).filter(isCliCommand)
    : gather(folder, isCliCommand)
}

// A reader that closes early (`ops … | head`) is not an error; a full disk under a file is.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCodes.done)
  note(`the output cannot be written (${code ?? message})`)
  process.exit(exitCodes.failures)
})

try {
  for (const { register } of await commandsFor(process.argv.slice(2))) register(program)
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  } else if (error instanceof Exit) {
    if (error.message) note(error.message)
    process.exitCode = error.code
  } else throw error
}
