import { resolve } from 'node:path'
import { cliCommand, formatOf } from '../cli-command.ts'
import { Exit, exitCodes, usage } from '../exit.ts'
import { note, print } from '../print.ts'
import { checkFile, checkGolden } from '../uci-check.ts'

type Options = { packages?: true; golden?: string }

export const uci = cliCommand((program) => {
  program
    .command('uci')
    .description('work on UCI text without a platform')
    .command('check')
    .description('what a router would take: sections and hash of each file, or line and reason of a refusal')
    .argument('[files...]', 'files of /etc/config, or exports')
    .option('--packages', 'each file names its packages itself (`package NAME` lines)')
    .option(
      '--golden <tsv>',
      'compare with a table of path, ok or refused, sections, SHA-256 or message; its files fail only if they differ from it',
    )
    .action((files: string[], { packages, golden }: Options, command) => {
      if (files.length === 0 && !golden) usage('name files to check, or a --golden table')
      const format = formatOf(command)
      const table = golden ? checkGolden(golden) : null
      // JSON is always the files, so that a script reads one shape: without arguments those of the table.
      const named = files.length === 0 && format === 'json' ? [...(table?.files.keys() ?? [])] : files
      const checked = named.map((file) => {
        const row = table?.files.get(resolve(file))
        return { row, found: checkFile(file, packages ?? row?.several ?? false) }
      })
      const found = checked.map((one) => one.found)
      if (found.length > 0 || format === 'json') print(format, found, found)
      // A refusal that the table expects is agreement.
      let failed = checked.some((one) => !one.row && one.found.result === 'refused')
      if (table) {
        const { rows, configurations, differences } = table
        for (const difference of differences) note(difference)
        const summary = `${rows} files and ${configurations} whole configurations compared, ${differences.length} differ`
        if (format === 'json') note(summary)
        else process.stdout.write(`${summary}\n`)
        failed ||= differences.length > 0
      }
      if (failed) throw new Exit(exitCodes.failures)
    })
})
